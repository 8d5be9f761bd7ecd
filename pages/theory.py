"""Does the promise hold? The paper's bounds on a task of yours, data that breaks them, and a rule whose bound holds."""

import streamlit as st

import aklo
from aklo.lab.charts import bounds as figures
from aklo.lab.components.player import PlayerView, player
from aklo.lab.components.plotly_chart import show
from aklo.lab.compute import bounds
from aklo.lab.content import bound_text
from aklo.lab.frame import progress
from aklo.lab.frame.page import page, table
from aklo.lab.frame.widgets import control, controls
from aklo.lab.session import state
from aklo.lab.settings.schema import FIELDS, Settings

RULE = (
    r"\begin{aligned}\hat y_t = \mathrm{sign}\big[&(1-\alpha_t)\,\mathrm{clip}\langle w_t, x_t\rangle\\"
    r"&+ \alpha_t \textstyle\sum_i p_t(i)\,a_t(i)\big]\end{aligned}"
)
MENDED = (
    r"\begin{aligned}\text{mistakes} \le\; &\textstyle\sum_t \alpha_t\,|a_t(w^{**}) - y_t|\\[-2pt]"
    r"&+ \textstyle\sum_t (1-\alpha_t)\,\ell_t(w^*)\\[-2pt]"
    r"&+ \textstyle\sqrt{2 \log T \sum_t \alpha_t^2}\\[-2pt]"
    r"&+ \textstyle R X \sqrt{\sum_t (1-\alpha_t)^2}\end{aligned}"
)


def no_experts() -> None:
    """Task 0, or a stream of one task."""
    st.info(
        "Task 0 is the first: there are no experts yet, and the bounds compare with the best of them. Take a later task"
        " above, or a stream of more than one task.",
        icon=":material/history_edu:",
    )


def on_your_stream(settings: Settings) -> None:
    """A statement about the settings' task."""
    extra = {"Corollary 1": ["gamma"], "Corollary 2": ["delta"]}.get(settings.statement, [])
    controls("statement", "radius", *extra, "task", "stated_rate")
    if settings.task == 0:
        no_experts()
        return
    replay = bounds.replay(settings)
    bound = bounds.bound(settings, replay)
    chart, words = st.columns([5, 2], gap="large")
    with chart:
        show(
            figures.promise(bound),
            "promise",
            f"{bound.name} on task {settings.task}: {bound.mistakes[-1]} mistakes against a promise of "
            f"{bound.total:.1f}, made of "
            + ", ".join(f"{name} {value:.1f}" for name, value in bound.terms.iloc[-1].items()) + ".",
        )  # fmt: skip
        st.caption(
            "The promise grows with the task, and is about its end: the dashed line's right end is the number of "
            "mistakes that it allows. Plain areas are what the best expert and the best classifier lose themselves; "
            "hatched ones what it costs not to have known them."
        )
    with words:
        st.markdown(bound_text.verdict(bound))
        st.markdown(bound_text.conditions(bound))
        if settings.statement == "Corollary 1":
            n = bound.numbers
            st.caption(
                f"ζ = {n['zeta']:.1f}, so that K is at least {n['K']:.3g}, and α must stay at {n['K/(1+K)']:.3f} or "
                f"above. It does up to t₀ = {n['t0']} of N = {len(replay)}."
            )
        lam = f"λ is {replay.lam:.3g}, the statement wants {bound.numbers['lambda']:.3g}"
        st.caption(f"X = {bound.numbers['X']:.1f} is the largest example of the task; {lam}.")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**One voice alone**")
        alone = bounds.voices(settings)
        totals = "; ".join(f"{name} {b.total:.1f}, {b.mistakes[-1]} made" for name, b in alone.items())
        show(figures.voices(alone), "voices", f"{bound.name}: {totals}.")
        st.caption(
            "Colours as above, the upright mark is the mistakes. With α ≡ 1 the bound falls back to that of the "
            "experts alone, with α ≡ 0 to that of the learner alone. The second is the paper's own remark, though its "
            "theorem wants α to start at 1."
            + (" Corollary 1 has no term for the learner: at α ≡ 0 it would promise no mistakes at all, and its "
               "condition N ≤ t₀ fails." if settings.statement == "Corollary 1" else "")
        )  # fmt: skip
        with st.container(horizontal=True):
            for name, spec in list(bounds.VOICES.items())[1:]:
                st.button(
                    f"Take {name}", key=f"take_{spec[-1]}", on_click=state.change, kwargs={"alpha": spec},
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
        at = prices.iloc[(abs(prices.index - len(replay))).argmin()]
        show(
            figures.price(prices, len(replay)),
            "price",
            f"Charged at N = {at.name}: " + "; ".join(f"{name} {value:.1f}" for name, value in at.items()) + ".",
        )
        st.caption(
            "What the bounds charge for finding the expert and for learning. Where N is unknown, Theorem 2 pays log N "
            "for doubling, and its learner's price is no longer divided by √N; the mended rule pays √2. Above the "
            "dotted line a bound says nothing. The upright line is your N."
        )


def broken(settings: Settings) -> None:
    """A counter-example, played."""
    liar = settings.case == "A loud liar"
    controls("case", *(["loudness", "liar_n", "liar_clip"] if liar else []))
    case = bounds.case(settings)
    replay = case.replay()
    bound = case.bound(replay)
    st.subheader(case.title, anchor=False)
    st.markdown(bound_text.verdict(bound))
    if liar:
        counts = bounds.liars(settings)
        st.markdown(
            f"Clipped after the sum, as printed: **{counts['sum']}** mistakes. Clipped on each expert: "
            f"**{counts['advice']}**. B is {10**settings.loudness:,}: turn it up and watch the first cross the line, "
            "which the second never does."
        )
    show_case(settings, case, replay, bound)
    for column, (name, text) in zip(
        st.columns(3, gap="medium"),
        {"The data": case.data, "The step that fails": case.breaks, "Why random data hides it": case.unseen}.items(),
        strict=True,
    ):
        column.markdown(f"**{name}**  \n{text}")
    st.caption(
        "Press Play: the red line in the race is what was promised. "
        + ("All conditions of the statement hold here. " if bound.applies else "")
        + "The paper's proofs are in a supplement that we do not have; the step named is one that an argument of this "
        "kind cannot do without. The sidebar does not touch this data."
    )


def show_case(settings: Settings, case: aklo.Case, replay: aklo.Replay, bound: aklo.Bound) -> None:
    """The counter-example in the player. The bound is about one method, so there is none to choose."""
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
        choose_method=False,
        link_keys={"step": FIELDS["case_step"].key} | {name: FIELDS[name].key for name in ("told", "wide", "guess")},
        title=f"{case.title}: {case.statement}",
        promise=bound.total,
        small=True,
        names=[f"expert {i + 1}" for i in range(len(case.experts))],
    )  # fmt: skip


def mended(settings: Settings) -> None:
    """The repaired rule beside the printed one."""
    controls("mended_on", *(["radius", "task"] if settings.mended_on == "Your stream" else []))
    st.latex(RULE)
    st.markdown(
        "The mixture stays, each expert clipped. Three repairs make its promise hold: **experts lose |a − y|**, not "
        "its square, so that a mistake costs 1 in full; **their losses count by α**, and **the learner steps by "
        "η (1 − α) y x**, without shrinking, so that each side is judged by what the mixture will charge it for."
    )
    st.latex(MENDED)
    if settings.mended_on == "Your stream":
        if settings.task == 0:
            no_experts()
            return
        replay, R, X = bounds.replay(settings), settings.radius, None
        printed = (aklo.theorem2 if settings.horizon == "unknown" else aklo.theorem1)(replay, R=R)
    else:
        case = aklo.CASES[settings.mended_on]()
        replay, R, X = case.replay(), case.R, case.X_max
        printed = case.bound(replay)
    repaired = aklo.mend(replay, R=R, X=X).bound
    for column, bound, key in zip(
        st.columns(2, gap="large"), (printed, repaired), ("printed", "repaired"), strict=True
    ):
        with column:
            show(
                figures.promise(bound, figures.highest(printed, repaired), height=380),
                key,
                f"{bound.name}: {bound.mistakes[-1]} mistakes against a promise of {bound.total:.1f}.",
            )
            st.markdown(bound_text.verdict(bound))
    st.caption(
        "The same data and the same axes. It holds for every expert, every classifier in the ball and every α in "
        "[0, 1], whether it falls or not; neither learner nor experts need stay anywhere. Without N both prices "
        "grow by √2. Whether it errs less as well depends on R and α: its learner wants a small ball."
    )
    st.markdown("**All counter-examples**")
    table("All counter-examples", bounds.all_cases())
    st.caption("Mistakes made / promised: the printed rule breaks its promise in every row, the mended one in none.")


PARTS = {"On your stream": on_your_stream, "The broken promise": broken, "The mended promise": mended}

with page(
    "theory",
    ("Knowledge", "Stream", "Learner"),
    question="The theory promises that there will not be too many mistakes. How many is that, and is it true?",
) as settings:
    control("theory_part")
    progress.learn(settings)
    PARTS[settings.theory_part](settings)
