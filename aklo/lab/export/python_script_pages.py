"""The part of the exported script that differs from page to page, one function for each page."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from textwrap import dedent
from typing import Any, NamedTuple

import aklo
from aklo.lab.settings.schema import Settings
from aklo.methods import KNOWING
from aklo.regrets import CLASSIFIER
from aklo.schedules import Schedule


class Needs(IntEnum):
    """What a page's code builds on: names that the script has defined before it. Each needs those above it, too."""

    NOTHING = 0
    TASKS = 1  # tasks(seed=…)
    LEARNED = 2  # learned, and reading
    RUN = 3  # run


class Code(NamedTuple):
    """The code of a page, and what it needs."""

    needs: Needs
    text: str


def lam(settings: Settings) -> str:
    """Return lambda as Python code."""
    return repr(float(settings.lam))


def schedule(spec: str) -> str:
    """Return a schedule as Python code."""
    found = Schedule.parse(spec)
    return f"{public_name(type(found))}{repr(found).removeprefix(type(found).__name__)}"


def public_name(thing: Callable[..., Any]) -> str:
    """How a script names a class or a function of the core: `aklo.syn1`, or by its module if `aklo` lacks the name."""
    name = thing.__name__
    return f"aklo.{name}" if name in aklo.__all__ else f"{thing.__module__}.{name}"


def _call(name: str, arguments: dict[str, Any]) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"


def watch(settings: Settings) -> Code:
    """Print the mistakes of all methods in one task, and the chosen method's prediction at each step."""
    s = settings
    asks, rule = s.method in KNOWING and s.task > 0, s.method in s.challengers
    own = "TOL" if s.method == "TOL" else "ITOL"
    knowledge = (
        "said, alpha, own = replay.confidence[method], replay.alpha, steps['learner']\n"
        "with np.errstate(invalid='ignore', divide='ignore'):\n"
        "    steps['knowledge'] = np.where(alpha > 0, (said - (1 - alpha) * own) / alpha, np.nan)\n"
        "steps['alpha'] = alpha\n"
        if asks
        else "steps['alpha'], steps['value'] = replay.method_alpha[method], replay.confidence[method]\n"
        if rule
        else ""
    )
    regret = (
        f"\nregret = aklo.regret(run).curve({s.task}, {s.competitor!r})\n"
        f"print('\\nRegret against the {s.competitor}, after each step:')\n"
        "print(regret.to_string(float_format='{:.0f}'.format))\n"
        if s.regret and (s.task > 0 or s.competitor == CLASSIFIER)
        else ""
    )
    return Code(
        Needs.RUN,
        f"replay = run.replay(task={s.task})\n"
        f"print(f'Task {s.task}: {{len(replay)}} examples, {{len(replay.experts)}} experts.\\n')\n"
        "for method in replay.methods:\n"
        "    print(f'{method}: {replay.errors[method].sum()} mistakes')\n\n"
        f"method = {s.method!r}\n"
        "print(f'\\n{method}, step by step:')\n"
        f"steps = pd.DataFrame({{'learner': replay.confidence[{own!r}]}}, index=range(1, len(replay) + 1))\n"
        f"{knowledge}"
        "steps['says'] = np.where(replay.confidence[method] >= 0, 1, -1)\n"
        "steps['truth'] = replay.y.astype(int)\n"
        "steps['mistakes'] = replay.errors[method].cumsum()\n"
        "print(steps.rename_axis('t').to_string(float_format='{:.3f}'.format))\n"
        f"{regret}"
    )


def alpha(settings: Settings) -> Code:
    """Print the comparison of schedules, and the map if it is shown."""
    s = settings
    specs = [spec for spec in s.kept_schedules if not s.waits(Schedule.parse(spec))]
    specs += [s.schedule.spec] if s.schedule.spec not in specs else []
    schedules = "".join(f"    {schedule(spec)},\n" for spec in specs)
    shown = (
        "rows = {}\n"
        f"for schedule in [\n{schedules}]:\n"
        "    found = aklo.mix(learned, alpha=schedule, **reading)\n"
        "    rows[str(schedule)] = {\n"
        f"        'Mean alpha': schedule.values(len(learned.stream[{s.task}])).mean(),\n"
        f"        'Wrong in task {s.task}': found.errors[{s.method!r}][{s.task}].sum(),\n"
        "        **{f'{method}, %': 100 * found.ace[method] for method in aklo.METHODS},\n"
        "    }\n"
        "print(pd.DataFrame.from_dict(rows, orient='index').to_string(float_format='{:.2f}'.format))\n"
    )
    if s.alpha_part == "How low, how fast?":
        shown += (
            f"\nprint('\\nACE of {s.method} in %: the end value down, across after which share of the task it is "
            "reached')\n"
            "shares = [i / 10 for i in range(11)]\n"
            "cells = {\n"
            "    end: [\n"
            f"        aklo.mix(learned, alpha=aklo.Ramp(end=end, steps=max(1, round(share * {s.n_examples}))), "
            f"**reading).ace[{s.method!r}]\n"
            "        for share in shares\n"
            "    ]\n"
            "    for end in shares\n"
            "}\n"
            "print((100 * pd.DataFrame(cells, index=shares).T).to_string(float_format='{:.1f}'.format))\n"
        )
    return Code(Needs.LEARNED, shown)


def compare(settings: Settings) -> Code:
    """Print the errors on one stream, and the repetitions."""
    s = settings
    luck = (
        "for method, by_task in run.expected.items():  # without the luck of the draw\n"
        "    wrong[run.methods.index(method)] = np.concatenate(by_task)\n"
        if s.expected
        else ""
    )
    parts = {
        "Task by task": "shares = np.add.reduceat(wrong, learned.offsets[:-1], axis=1) / learned.lengths\n"
        "print('\\nWrong predictions in each task, in %:')\n"
        "print(pd.DataFrame(100 * shares.T, columns=run.methods).to_string(float_format='{:.1f}'.format))\n",
        "The last task": "print('\\nErrors in the last task:')\n"
        "for method, row in zip(run.methods, wrong[:, learned.offsets[-2] :], strict=True):\n"
        "    print(f'{method}: {row.sum():.0f}')\n",
        "Regret": "found = aklo.regret(run)\n"
        "regret = aklo.Regret(run.methods, wrong, found.competitors, found.offsets)\n"
        "print('\\nRegret over the stream:')\n"
        "print(regret.table.to_string(float_format='{:.0f}'.format))\n",
    }
    again = (
        f"\nmore = {{'lam': {lam(s)}, 'alpha': run.alpha, 'methods': run.methods, **reading}}\n"
        f"repeats = aklo.repeat(tasks, n={s.repetitions}, **more)\n"
        f"print('\\nAverage error (ACE) in %, mean and standard deviation of {s.repetitions} repetitions:')\n"
        "table = 100 * repeats.table\n"
        "table['rank'] = table['mean'].rank(method='min').astype(int)\n"
        "print(table.to_string(float_format='{:.1f}'.format))\n"
        "print('\\nThe first minus the second in points, with the 95% interval:')\n"
        "pairs = repeats.differences().set_index(['first', 'second'])\n"
        "print((100 * pairs).to_string(float_format='{:+.2f}'.format, sparsify=False))\n"
        if s.repetitions > 1
        else ""
    )
    return Code(
        Needs.RUN,
        f"wrong = run.wrong.astype(float)\n{luck}"
        "print(f'Errors after {wrong.shape[1]} examples:')\n"
        "for method, row in zip(run.methods, wrong, strict=True):\n"
        "    print(f'{method}: {row.sum():.0f}')\n"
        "print('\\nAverage error (ACE) in %, on this one stream:')\n"
        "print((100 * run.ace).to_string(float_format='{:.1f}'.format))\n"
        f"{parts.get(s.race_part, '')}{again}"
    )


def tasks(settings: Settings) -> Code:
    """Print the numbers of tasks and examples of each group."""
    return Code(
        Needs.TASKS,
        f"stream = tasks(seed={settings.seed})\n"
        "table = pd.DataFrame({'group': stream.task_groups, 'tasks': 1, 'examples': stream.lengths})\n"
        "table['labelled +1'] = [(stream[k].y > 0).sum() for k in range(len(stream))]\n"
        "print(table.groupby('group').sum().to_string())\n"
    )


def transfer(settings: Settings) -> Code:
    """Print the gain against ITOL, and the weight of the experts of the task's own group."""
    s = settings
    angles = (
        "\n# The same at every angle, over repetitions.\n"
        "angles = sorted({*range(0, 181, 15), " + f"{s.angle!r}}})\n"
        f"places = [(angle, {s.share!r}) for angle in angles]\n"
        "words = {'lam': " + lam(s) + ", 'alpha': run.alpha, 'source': tasks, 'methods': run.methods, **reading}\n"
        f"print('\\nGain in points, mean of {s.repetitions} repetitions, against the angle:')\n"
        f"found = {{place[0]: 100 * cell.table['mean'] for place, cell in aklo.transfer_map(places, {s.repetitions}, "
        "**words)}\n"
        "print(pd.DataFrame(found).T.to_string(float_format='{:+.1f}'.format))\n"
        if s.dataset == "conflict"
        else ""
    )
    return Code(
        Needs.RUN,
        "print('Gain against ITOL, mean over the tasks, and the share of tasks that are harmed, in %:')\n"
        "table = aklo.Transfer.of(run.task_errors[None], run.methods).table[['mean', 'negative']]\n"
        "print((100 * table).to_string(float_format='{:+.1f}'.format))\n"
        "friends = aklo.friends(run) if learned.stream.groups else None\n"
        "if friends is not None and friends.both.any():\n"
        "    first, last = 100 * friends.mean[[0, -1]]\n"
        "    print(f'\\nWeight on friends: {first:.0f} % at the first step, {last:.0f} % at the last.')\n"
        f"{angles}"
    )


def theory(settings: Settings) -> Code:
    """Print a bound: on the stream's task, on a counterexample, or of the rules whose bounds hold."""
    s = settings
    show = dedent("""
        def show(bound):
            print(f"{bound.name}: at most {bound.total:.2f} mistakes are allowed, {bound.mistakes[-1]} were made")
            for name, value in bound.terms.iloc[-1].items():
                print(f"  {name}: {value:.2f}")
            for name, holds in bound.conditions.items():
                print(f"  {'yes' if holds else 'NO '} {name}")


    """).lstrip()
    holds = s.theory_part == "Bounds that hold"
    if s.theory_part == "Counterexamples" or (holds and s.mended_on != "Your task"):
        if holds:
            return Code(
                Needs.NOTHING,
                f"{show}case = aklo.CASES[{s.mended_on!r}]()\nreplay = case.replay()\n"
                "show(aklo.pool_bound(replay))\nshow(aklo.mend(replay, R=case.R, X=case.X_max).bound)\n"
                "printed = case.bound(replay)\nprint(f'{printed.name}, as printed: {printed.total:.2f}')\n"
            )
        if s.case == "A loud liar":
            case = _call("aklo.clip_after_sum", {"B": 10.0**s.loudness, "N": s.liar_n})
        else:
            case = f"aklo.last_stretch({s.stretch_n})" if s.case == "The last stretch" else f"aklo.CASES[{s.case!r}]()"
        options = {"clip": s.case_clip, "zero": s.zero_sign, "ties": s.ties, "peek": s.peek}
        return Code(
            Needs.NOTHING,
            f"from aklo.theory.readings import Reading\n\ncase = {case}\n"
            f"reading = {_call('Reading', options)}\nbound = case.bound(case.replay(reading.clip))\n"
            "made = case.mistakes(reading)\n"
            "print(f'{bound.name}: at most {bound.total:.2f} mistakes are allowed, {made:g} were made')\n"
        )
    if s.task == 0:
        return Code(Needs.TASKS, "print('Task 0 is the first: there are no experts yet, so there is no bound.')\n")
    wanted = ""
    if s.stated_rate:
        rate = "(X + R) / R" if s.statement == "Theorem 2" else "aklo.stated_lambda(len(task.y), X=X, R=R)"
        wanted = (
            f"task = learned.stream[{s.task}]\n"
            "X = float(np.sqrt((task.X * task.X).sum(axis=1).max()))\n"
            f"learned = aklo.learn(learned.stream, lam={rate})  # as the statement wants it\n"
            "run = aklo.mix(learned, alpha=run.alpha, **reading)\n"
        )
    if holds:
        printed = "theorem2" if s.horizon == "unknown" else "theorem1"
        bounds = (
            "show(aklo.pool_bound(replay))\nshow(aklo.mend(replay, R=R).bound)\n"
            f"printed = aklo.{printed}(replay, R=R)\nprint(f'{{printed.name}}, as printed: {{printed.total:.2f}}')\n"
        )
    else:
        name = s.statement.lower().replace(" ", "")
        more = {"Corollary 1": f", gamma={s.gamma!r}", "Corollary 2": f", delta={s.delta!r}"}.get(s.statement, "")
        bounds = f"show(aklo.{name}(replay, R=R{more}))\n"
    return Code(Needs.RUN, f"\n{show}R = {s.radius!r}\n{wanted}replay = run.replay(task={s.task})\n{bounds}")


PAGES: dict[str, Callable[[Settings], Code]] = {
    "watch": watch,
    "tasks": tasks,
    "alpha": alpha,
    "compare": compare,
    "transfer": transfer,
    "theory": theory,
}
