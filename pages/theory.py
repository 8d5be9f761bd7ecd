"""Error bounds: the paper's bounds on a task of yours, data that breaks them, and two rules whose bounds hold."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import aklo
from aklo.lab.charts import bounds as charts
from aklo.lab.components.player import PlayerOptions, PlayerView, case_context, player
from aklo.lab.components.plotly_chart import show
from aklo.lab.compute import bounds
from aklo.lab.content import bound_text, findings
from aklo.lab.frame import progress
from aklo.lab.frame.page import finding, page, picture, table
from aklo.lab.frame.widgets import controls, knobs
from aklo.lab.session import state
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import FIELDS, Settings
from aklo.lab.settings.text import bound_number
from aklo.theory.readings import Reading


def no_experts() -> None:
    """Task 0, or a stream of one task."""
    st.info(
        "Task 0 is the first: there are no experts yet, and the bounds compare with the best of them. Take a later task"
        " above, or a stream of more than one task.",
        icon=":material/history_edu:",
    )


def offer_longer_tasks(settings: Settings, bound: aklo.Bound) -> None:
    """Where the bound is vacuous: a way to one that is not. Its terms grow more slowly than the number of examples."""
    longest = int(FIELDS["n_examples"].highs.get(settings.dataset, FIELDS["n_examples"].high))
    if bound.vacuous and settings.n_examples < longest and settings.dataset != OWN:
        st.button(
            f"Take {longest} examples a task", key="longer", icon=":material/expand:", on_click=state.change,
            kwargs={"n_examples": longest},
            help="The cost of finding the expert and of learning grows more slowly than the number of examples, so a "
            "bound on a long task says more. Undo takes it back.",
        )  # fmt: skip


def on_your_task(settings: Settings, first: DeltaGenerator) -> None:
    """A statement about the settings' task."""
    extra = {"Corollary 1": ["gamma"], "Corollary 2": ["delta"]}.get(settings.statement, [])
    with knobs():
        controls("statement", "radius", *extra, "task", "stated_rate")
    if settings.task == 0:
        no_experts()
        return
    replay = bounds.replay(settings)
    bound = bounds.bound(settings, replay)
    with first:
        finding(findings.of_bound(bound))
    chart, text = st.columns([5, 2], gap="large")
    with chart, picture():
        show(
            charts.promise(bound),
            "promise",
            f"{bound.name} on task {settings.task}: {bound.mistakes[-1]} mistakes against a bound of "
            f"{bound_number(bound.total)}, made of "
            + ", ".join(f"{name} {bound_number(value)}" for name, value in bound.terms.iloc[-1].items()) + ".",
        )  # fmt: skip
        st.caption(
            "The bound grows with the task, and is about its end: the dashed line's right end is the number of "
            "mistakes that it allows. Plain areas are what the best expert and the best classifier lose themselves; "
            "hatched areas what it costs not to have known them beforehand."
        )
    with text:
        st.markdown(bound_text.conditions(bound))
        offer_longer_tasks(settings, bound)
        if settings.statement == "Corollary 1":
            n = bound.numbers
            st.caption(
                f"ζ = {n['zeta']:.1f}, so that K is at least {n['K']:.3g}, and α must stay at {n['K/(1+K)']:.3f} or "
                f"above. It does up to t₀ = {n['t0']} of N = {len(replay)}."
            )
        lam = f"λ is {replay.lam:.3g}, the statement requires {bound.numbers['lambda']:.3g}"
        st.caption(f"X = {bound.numbers['X']:.1f} is the largest example of the task; {lam}.")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Experts alone, learner alone**")
        alone = bounds.by_alpha(settings)
        totals = "; ".join(f"{name} {bound_number(b.total)}, {b.mistakes[-1]} made" for name, b in alone.items())
        show(charts.totals(alone), "voices", f"{bound.name}: {totals}.")
        st.caption(
            "Colours as above, the upright mark is the mistakes. With α ≡ 1 the bound falls back to that of the "
            "experts alone, with α ≡ 0 to that of the learner alone. The second is the paper's own remark, though its "
            "theorem wants α to start at 1."
            + (" Corollary 1 has no term for the learner: at α ≡ 0 it would allow no mistakes at all, and its "
               "condition N ≤ t₀ fails." if settings.statement == "Corollary 1" else "")
        )  # fmt: skip
        with st.container(horizontal=True):
            for name, spec in list(bounds.ALPHAS.items())[1:]:
                st.button(
                    f"Take {name}", key=f"take_{spec}", on_click=state.change, kwargs={"alpha": spec},
                    disabled=settings.schedule == aklo.Schedule.parse(spec), help="Make it the alpha of all pages.",
                )  # fmt: skip
            st.button(
                "Take the paper's alpha", key="take_paper", on_click=state.change,
                kwargs={"alpha": aklo.Linear().spec, "horizon": "known"},
                disabled=settings.schedule == aklo.Linear(), help="Linear, from 1 to 0; N is then known.",
            )  # fmt: skip
    with right:
        st.markdown("**The price of not knowing N**")
        prices = bounds.price(settings, replay)
        at = bounds.price_near(prices, len(replay))
        show(
            charts.price(prices, len(replay)),
            "price",
            f"Price at N = {at.name}: " + "; ".join(f"{name} {value:.1f}" for name, value in at.items()) + ".",
        )
        st.caption(
            "What the bounds charge for finding the expert and for learning. Where N is unknown, Theorem 2 pays log N "
            "for doubling, and its learner's price is no longer divided by √N; the mended rule pays √2. Above the "
            "dotted line a bound says nothing. The upright line is your N."
        )


def counterexamples(settings: Settings, first: DeltaGenerator) -> None:
    """All counterexamples under a reading of the paper, and one of them, played."""
    more = {"A loud liar": ["loudness", "liar_n"], "The last stretch": ["stretch_n"]}.get(settings.case, [])
    with knobs():
        controls("case", *more, "case_clip", "zero_sign", "ties", "peek")
    case, reading, judged = bounds.case(settings), bounds.reading(settings), bounds.judged(settings)
    replay = case.replay(reading.clip)
    bound = case.bound(replay)
    with first:
        n_broken = sum(judgement.broken for judgement in judged.values())
        finding(findings.of_cases(case, judged[settings.case].mistakes, bound, n_broken, len(judged)))
    frame = bounds.counterexamples(settings)
    table("Counterexamples", frame, bound_text.marked(frame, settings.case))
    st.caption(bound_text.READINGS)
    if settings.case == "The last stretch":
        show_stretches(settings.stretch_n, reading, judged[settings.case].mistakes, bound.total)
    if settings.case == "A loud liar":
        counts = bounds.liars(settings)
        st.markdown(
            f"Clipped after the sum, as printed: **{counts['sum']}** mistakes. Clipped on each expert: "
            f"**{counts['advice']}**. B is {10**settings.loudness:,}: turn it up and watch the first cross the line, "
            "which the second never does."
        )
    with picture():
        show_case(settings, case, replay, bound)
    for column, (name, text) in zip(
        st.columns(3, gap="medium"),
        {"The data": case.data, "The step that fails": case.breaks, "Why random data hides it": case.unseen}.items(),
        strict=True,
    ):
        column.markdown(f"**{name}**  \n{text}")
    st.caption(
        "Press Play: the red line in the race is the bound. "
        + bound_text.as_played(reading)
        + "The paper's proofs are in a supplement that we do not have; the step named is one that an argument of this "
        "kind cannot do without. The settings in the sidebar do not change this data."
    )


def show_stretches(N: int, reading: Reading, made: float, total: float) -> None:
    """Mistakes and bound of the last stretch against N, and what they are at this N."""
    st.subheader("The difference grows with N", anchor=False)
    found = bounds.stretches(reading)
    show(
        charts.stretches(found, N),
        "stretches",
        "The last stretch against N: "
        + "; ".join(f"N = {n}: {row['mistakes']:g} mistakes, bound {row['bound']:.1f}" for n, row in found.iterrows())
        + ".",
    )
    st.caption(
        f"At N = {N:,}: {made:g} mistakes, and a bound of {bound_number(total)}. From N = 500 on there are more "
        "mistakes than the bound allows, and the difference grows in proportion to N, by about 3 for each 100 "
        "examples: no constant that is added to the bound would save the theorem."
    )


def show_case(settings: Settings, case: aklo.Case, replay: aklo.Replay, bound: aklo.Bound) -> None:
    """The counterexample in the player. The bound is about one method, so there is none to choose."""
    keys = {"step": FIELDS["case_step"].key} | {name: FIELDS[name].key for name in ("told", "wide", "guess")}
    player(
        replay,
        key=f"broken_{settings.case}",
        view=PlayerView(
            step=min(settings.case_step, len(replay)), told=settings.told, method=bound.method, wide=settings.wide,
            guess=settings.guess,
        ),
        on_view=lambda view: state.change(
            case_step=view.step, told=view.told, wide=view.wide, guess=view.guess
        ),
        task=case_context(case),
        options=PlayerOptions(choose_method=False, link_keys=keys, small=True, promise=bound.total),
    )  # fmt: skip


def that_hold(settings: Settings, first: DeltaGenerator) -> None:
    """One pool and the mended rule beside the printed bounds, on the same data."""
    own = settings.mended_on == "Your task"
    with knobs():
        controls("mended_on", *(["radius", "task"] if own else []))
    if own:
        if settings.task == 0:
            no_experts()
            return
        replay, R, X = bounds.replay(settings), settings.radius, None
        printed = bounds.printed(settings, replay)
    else:
        case = aklo.CASES[settings.mended_on]()
        replay, R, X = case.replay(), case.R, case.X_max
        printed = [case.bound(replay)]
    pool, mended = aklo.pool_bound(replay), aklo.mend(replay, R=R, X=X).bound
    with first:
        finding(findings.of_bounds_that_hold(pool, mended, printed[0]))
    rows = {f"{bound.name}, printed": bound for bound in printed} | {"Mended rule": mended, "One pool": pool}
    with picture():
        show(
            charts.totals(rows, 90 + 42 * len(rows)),
            "totals",
            "; ".join(f"{name}: bound {bound_number(b.total)}, {b.mistakes[-1]} made" for name, b in rows.items())
            + ".",
        )
    st.caption(
        "The bar is what a bound allows by the end of the task, the upright mark the mistakes that its own method "
        "makes; at the dotted line all are wrong. Plain: what the best one loses itself. Hatched: the price of not "
        "knowing it."
    )
    top = charts.highest(pool, mended)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("One pool", anchor=False)
        st.latex(bound_text.ONE_POOL)
        st.markdown(bound_text.ONE_POOL_WORDS)
        st.latex(bound_text.ONE_POOL_BOUND)
        st.markdown("**Proof**, in five lines:\n" + bound_text.ONE_POOL_PROOF)
        show_bound(pool, "pool", top)
    with right:
        st.subheader("The mended rule", anchor=False)
        st.latex(bound_text.MENDED_RULE)
        st.markdown(bound_text.MENDED_WORDS)
        st.latex(bound_text.MENDED_BOUND)
        st.markdown(
            "It holds for every expert, every classifier in the ball and every α in [0, 1], whether it falls or not; "
            "neither the learner nor the experts need to stay within the ball. Without N both prices grow by √2. "
            "Whether the rule also makes fewer mistakes depends on R and α: its learner does best with a small ball."
        )
        show_bound(mended, "repaired", top)
    st.markdown("**All counterexamples**")
    table("All counterexamples", bounds.all_cases())
    st.caption(
        "Mistakes made / allowed: the printed rule breaks its bound in every row, the mended rule and One pool in none."
    )


def show_bound(bound: aklo.Bound, key: str, top: float) -> None:
    """A bound over time, with its verdict."""
    show(
        charts.promise(bound, top, height=340),
        key,
        f"{bound.name}: {bound.mistakes[-1]} mistakes against a bound of {bound_number(bound.total)}.",
    )
    st.markdown(bound_text.verdict(bound))


PARTS = {"On your task": on_your_task, "Counterexamples": counterexamples, "Bounds that hold": that_hold}

with page(
    "theory",
    ("Alpha", "Knowledge", "Stream", "Learner"),
) as settings:
    first = st.container()
    controls("theory_part")
    progress.learn(settings)
    PARTS[settings.theory_part](settings, first)
