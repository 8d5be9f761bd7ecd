"""The entries of the glossary. Headings are plain letters, since Streamlit makes the anchors from them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """One entry.

    Attributes
    ----------
    anchor : its anchor on the page.
    word : its heading.
    says : its meaning, in one or two sentences.
    formula, symbol : LaTeX.
    paper : where the paper uses it; "ours" if it does not, "" for common terms.
    settings : names of the settings that control it.
    symbols : its symbols as the interface shows them, where not in LaTeX.
    """

    anchor: str
    word: str
    says: str
    formula: str = ""
    paper: str = ""
    symbol: str = ""
    settings: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()


# fmt: off
SECTIONS: dict[str, tuple[Term, ...]] = {
    "Tasks and data": (
        Term("example", "Example", "A point with features, shown before its label. The label is +1 or −1, drawn as two "
             "shapes in two colours.", r"(x_t, y_t), \quad x_t \in \mathbb{R}^d,\ y_t \in \{-1, +1\}",
             "problem setting", "x_t,\\ y_t", ("n_examples",), ("x", "y", "x₁", "x₂", "x1", "x2")),
        Term("time-step", "Time step", "The place of an example in its task; time, in the player. N is the number of "
             "examples.", r"t = 1, \dots, N", "problem setting", "t,\\ N", ("n_examples", "raced", "step", "case_step"),
             ("t", "N")),
        Term("task", "Task", "A run of examples that are labelled by one rule. Tasks count from 0 in the lab, so that "
             "task k has k experts; the paper calls the new one T + 1.", "", "problem setting", "T + 1",
             ("task", "n_tasks", "tasks_page"), ("T",)),
        Term("stream", "Stream", "Tasks that arrive one after another, never to come back.", "", "problem setting", "",
             ("dataset", "n_tasks", "order", "seed", "follow")),
        Term("group", "Group", "Tasks that come from one place and are labelled nearly alike: D1 or D2. No method is "
             "told the groups.", "", "experiments", "D_1,\\ D_2", ("share", "order"), ("D1", "D2")),
        Term("labelling-vector", "Labelling vector", "The hidden rule of a task: which side of a line through the "
             "origin is +1. Each task's is moved a little, by the wobble e.",
             r"y = \mathrm{sign}\langle a, x\rangle, \qquad a = \bar a + e\,(1, 1), \quad e \sim \mathcal{N}(0, s^2)",
             "experiments", "a", ("vector1_x", "vector1_y", "vector2_x", "vector2_y", "sd"), ("a₁", "a₂", "e")),
        Term("mean-and-spread", "Mean and spread", "Where a group's examples lie, and how widely they scatter.",
             r"x \sim \mathcal{N}(\mu, s^2 I)", "experiments", r"\mu",
             ("mean1_x", "mean1_y", "mean2_x", "mean2_y", "spread")),
        Term("syn1", "syn1", "Two groups at two places, each with a labelling vector of its own.",
             r"\mu = (10, 10),\ a = (-1, 1) \ \text{or}\ \mu = (20, 5),\ a = (-\tfrac14, 1)", "experiments"),
        Term("syn2", "syn2", "Two groups at the same place with opposite labels. The paper leaves the place open; the "
             "lab takes (10, 10).", r"a \quad\text{or}\quad -a", "experiments"),
        Term("conflict", "Conflict", "Points around the origin; D2's labelling vector is D1's, turned by an angle: 0° "
             "is the same rule for both groups, at 180° all labels are opposite.", "", "ours", "", ("angle",)),
        Term("digits", "Digits", "Real images of handwritten digits, 8 × 8 pixels; each task is to tell two of them "
             "apart.", "", "ours"),
        Term("seed", "Seed", "The number that random choices start from: the same seed gives the same picture.", "", "",
             "", ("seed", "repetitions")),
        Term("worksheet", "Worksheet", "A lesson's question on paper, for one seed, with room for a guess and its "
             "reasons. Its answer key is computed for the same seed.", "", "", "", ("answer_key",)),
    ),
    "The learner": (
        Term("classifier", "Classifier", "A line (in more dimensions a plane) through the origin, given by a vector w; "
             "the score's sign is the label that it says, and a score of 0 says +1.",
             r"\hat y = \mathrm{sign}\langle w, x\rangle, \qquad \mathrm{sign}(0) = +1", "problem setting", "w",
             symbols=("w",)),
        Term("learner", "Learner", "The classifier of the task at hand. It starts at 0 and steps by online gradient "
             "descent after each label; it never looks at the knowledge base.",
             r"w_1 = 0, \qquad w_{t+1} = (1 - \eta_t\lambda)\,w_t + \begin{cases}\eta_t\,y_t x_t & \text{if } "
             r"y_t\langle " r"w_t, x_t\rangle < 1\\ 0 & \text{otherwise}\end{cases}", "both algorithms", "w_t",
             ("lam",)),
        Term("step-size", "Step size", "How far the learner moves at step t: far at first, less and less later.",
             r"\eta_t = \frac{1}{\lambda t}", "both algorithms", r"\eta_t", symbols=("η",)),
        Term("lambda", "Lambda", "The learner's regularisation: a large one keeps it short, a small one lets it take "
             "large steps. The paper takes the one of 0.001, 0.01, …, 1000 with the least error of ITOL.",
             r"\tfrac{\lambda}{2}\|w\|^2 + \ell_t(w)", "experiments", r"\lambda", ("lam", "stated_rate"), ("λ",)),
        Term("hinge-loss", "Hinge loss", "What a classifier loses on an example: nothing if it is right with a margin "
             "of 1 or more.", r"\ell_t(w) = \max(0,\ 1 - y_t\langle w, x_t\rangle)", "problem setting", r"\ell_t"),
        Term("margin", "Margin", "How clearly a score is on the right side.", r"y_t\langle w_t, x_t\rangle"),
    ),
    "Knowledge": (
        Term("expert", "Expert", "The learner of a finished task, frozen. The player draws its boundary, which fades "
             "in and out with its weight.", r"w^{(i)} = w_{N+1} \text{ of task } i", "both algorithms", "w^{(i)}",
             ("wide",)),
        Term("knowledge-base", "Knowledge base", "All experts so far. Its word is O, in [−1, 1]; the methods differ in "
             "how they make it.", "", "both algorithms", "O_t", symbols=("O",)),
        Term("clip", "Clip", "Cuts a number to [−1, 1], so that no expert counts for more than 1. The paper prints it "
             "around the sum of experts; on each expert before the sum is what fits its table, and what a proof needs.",
             r"\mathrm{clip}(z) = \max(-1, \min(1, z))", "both algorithms", "", ("clip", "case_clip")),
        Term("advice", "Advice", "What an expert says about an example, clipped.",
             r"a_t(i) = \mathrm{clip}\langle w^{(i)}, x_t\rangle", "both algorithms", "a_t(i)", symbols=("a",)),
        Term("expert-loss", "Expert loss", "The squared distance of its advice from the label: from 0 to 4.",
             r"e_t(i) = \big(a_t(i) - y_t\big)^2, \qquad L_t(i) = \sum_{k<t} e_k(i)", "both algorithms", r"e_t(i),\ "
             r"L_t(i)"),
        Term("weight", "Weight", "AKLO's trust in an expert before example t: all alike at first, then less for those "
             "that lost more. The paper's prose sums losses up to k ≤ t, which would peek at the label; the lab sums k "
             "< t.", r"p_t(i) = \frac{\exp(-\varepsilon L_t(i))}{\sum_j \exp(-\varepsilon L_t(j))}", "both algorithms",
             "p_t(i)", symbols=("p", "pₜ")),
        Term("epsilon", "Epsilon", "How fast weight is lost; 0 with a single expert.",
             r"\varepsilon = \sqrt{\frac{\log T}{8 \sum_t \alpha_t}}", "both algorithms", r"\varepsilon",
             symbols=("ε",)),
        Term("horizon", "Horizon", "Whether N is known beforehand. Known: one ε for the whole task (AKLO with known "
             "N). Unknown: the doubling trick (AKLO with unknown N).", "", "Theorem 1; Theorem 2", "", ("horizon",)),
        Term("doubling-trick", "Doubling trick", "Where N is unknown, losses start from 0 at t = 1, 2, 4, 8, …, each "
             "time for a stretch twice as long.", r"\text{periods } [2^m,\ 2^{m+1} - 1]", "AKLO with unknown N", "",
             ("horizon",)),
        Term("friends", "Friends", "Experts of the task's own group, which label nearly as the task does. The lab "
             "calls them so in the tour and in the code; no method is told who they are.", "", "ours"),
    ),
    "The prediction": (
        Term("alpha", "Alpha", "Knowledge's share of the vote at step t; the learner has the rest. It may only fall, "
             "since the learner only gets better.", r"0 \le \alpha_{t+1} \le \alpha_t \le 1", "both algorithms",
             r"\alpha_t", ("alpha",), ("α",)),
        Term("schedule", "Schedule", "The curve that alpha follows over a task. The lab can compare up to four.", "",
             "", "", ("alpha", "kept")),
        Term("trust", "Trust", "The sum of alpha over a task.", r"S = \sum_{t=1}^{N} \alpha_t", "Theorem 1", "S",
             symbols=("S",)),
        Term("mixture", "Mixture", "The prediction: the learner's clipped score and knowledge's word, weighed by "
             "alpha. The sentence under the player is this line in numbers.",
             r"\hat y_t = \mathrm{sign}\big[(1-\alpha_t)\,\mathrm{clip}\langle w_t, x_t\rangle + \alpha_t O_t\big]",
             "both algorithms", r"\hat y_t", symbols=("ŷ",)),
        Term("aklo-with-known-n", "AKLO with known N", "At each step: hear the experts and the learner, mix them by "
             "alpha, predict, hear the label, charge the experts, step the learner. When the task ends, the learner "
             "joins the knowledge base.", "", "its algorithm for a known number of examples", "", ("horizon",)),
        Term("aklo-with-unknown-n", "AKLO with unknown N", "The same with the doubling trick, and a schedule that does "
             "without N.", "", "its algorithm for an unknown number of examples", "", ("horizon",)),
        Term("guess-before-the-label", "Guess before the label", "A mode of the player: each step first shows the "
             "question and the prediction, then the label.", settings=("guess", "told")),
    ),
    "The six methods": (
        Term("itol", "ITOL", "A new learner for each task, alone.", r"\alpha_t = 0", "experiments", "", ("method",)),
        Term("tol", "TOL", "One learner over all tasks joined, its t running on.", r"\alpha_t = 0", "experiments"),
        Term("unif-sample", "Unif Sample", "The advice of one expert, drawn uniformly anew at each step.",
             r"O_t = a_t(i), \quad i \sim \text{uniform}", "experiments", "", ("expected",)),
        Term("unif-sum", "Unif Sum", "The mean over the experts.",
             r"O_t = \mathrm{clip}\Big(\tfrac1T \sum_i \langle w^{(i)}, x_t\rangle\Big) \quad\text{or}\quad \tfrac1T "
             r"\sum_i a_t(i)", "experiments"),
        Term("aklo-sample", "AKLO Sample", "The advice of one expert, drawn by its weight anew at each step.",
             r"O_t = a_t(i), \quad i \sim p_t", "Corollary 2", "", ("expected",)),
        Term("aklo-sum", "AKLO Sum", "The weighted sum over the experts; the clip as printed, or on each expert.",
             r"O_t = \mathrm{clip}\Big(\sum_i p_t(i)\,\langle w^{(i)}, x_t\rangle\Big) \quad\text{or}\quad \sum_i "
             r"p_t(i)\," "a_t(i)", "both algorithms"),
        Term("as-printed", "As printed", "The paper's equations to the letter: the clip after the sum, alpha linear to "
             "0.", "", "both algorithms"),
        Term("as-tabulated", "As tabulated", "The reading that gives the paper's Table 1: the clip on each expert, "
             "alpha linear to ½.", "", "Table 1", "", ("figure_reading",)),
    ),
    "Challengers": (
        Term("challenger", "Challenger", "A rule beside the paper's six, to compare them with. Each weighs a pool: the "
             "learner, which starts with half of the weight, and the experts, which share the other half.", "", "ours",
             "", ("challengers",)),
        Term("one-pool", "One pool", "The learner is one more expert. A member's weight falls by its own loss alone, "
             "with rate ½, and the y with the larger vote q is predicted. Nobody chooses α: it is what the learner's "
             "weight leaves. Its mistakes are at most any member's loss plus 2 ln(1/π), with π the weight that the "
             "member started with.", r"\begin{aligned} q_t(y) &= \sum_i p_t(i)\,e^{-(a_t(i) - y)^2/2} \\"
             r"p_{t+1}(i) &\propto p_t(i)\,e^{-(a_t(i) - y_t)^2/2} \\"
             r"\alpha_t &= 1 - p_t(\text{learner}) \end{aligned}", "ours", "", ("challengers", "mended_on")),
        Term("aklo-rate-1-2", "AKLO, rate 1/2", "AKLO Sum with the clip on each expert and One pool's rate: what the "
             "faster weights do alone, with the schedule's α.", r"\varepsilon = \tfrac12", "ours", "",
             ("challengers",)),
    ),
    "Measuring": (
        Term("mistake", "Mistake", "A wrong prediction. The race counts them.", r"\hat y_t \ne y_t"),
        Term("ace", "ACE", "Average cumulative error: the mean over tasks of each task's share of wrong predictions.",
             r"\mathrm{ACE} = \frac1T \sum_{\text{tasks}} \frac1N \sum_t \mathbf{1}[\hat y_t \ne y_t]", "Table 1"),
        Term("gain", "Gain", "Transfer gain: ITOL's share of wrong predictions minus the method's, in points: what "
             "knowledge was worth.", r"\text{gain} = \text{error}_{\text{ITOL}} - \text{error}", "ours"),
        Term("negative-transfer", "Negative transfer", "A gain below zero: knowledge has hurt.", r"\text{gain} < 0"),
        Term("regret", "Regret", "How many mistakes more a method makes than a competitor that is chosen in hindsight: "
             "the expert with the fewest mistakes in the task, or the best classifier. Below 0 it does better than any "
             "one of them. A method that learns whom to trust has a regret that levels off.",
             r"\sum_{k \le t} \mathbf{1}[\hat y_k \ne y_k] - \mathbf{1}[\hat y^{\,\text{best}}_k \ne y_k]", "", "",
             ("regret", "competitor")),
        Term("repetition", "Repetition", "The same on fresh data; with your own file, on its examples in another "
             "order, so that intervals cover the order alone. Bands are ± one standard deviation of the repetitions; "
             "an interval in brackets holds the mean difference with 95 % confidence. Where several are compared, a "
             "difference is called more than chance if it stays below 5 % after Holm's correction for all of them.", "",
             "experiments", "", ("repetitions", "reference")),
        Term("expected-errors", "Expected errors", "For the two methods that draw: the probability of a mistake in the "
             "place of one draw.", "", "ours", "", ("expected",)),
    ),
    "Error bounds": (
        Term("bound", "Bound", "The most mistakes that a statement allows. It is vacuous where it allows N or more: "
             "all can be wrong then.", "", "Theorem 1", "", ("statement", "theory_part")),
        Term("theorem-1", "Theorem 1", "N is known and λ is as stated. The terms: best expert's loss, best "
             "classifier's loss, finding the expert, learning. It wants alpha to start at 1. The lab shows data that "
             "breaks it.", r"\begin{aligned}\text{mistakes} \le\;& \sum_t \alpha_t\,e_t(w^{**}) + \sum_t "
             r"(1-\alpha_t)\,\ell_t(w^*)\\ &+ "
             r"4\sqrt{2 S \log T} + R(X+R)\sqrt{\tfrac{\log N + 1}{N}} \sum_t (1-\alpha_t)\end{aligned}", "Theorem 1",
             "", ("statement", "stated_rate")),
        Term("corollary-1", "Corollary 1", "If alpha stays high to the end, the learner's part costs at most a share γ "
             "of the experts'.", r"\begin{aligned}&\text{mistakes} \le (1+\gamma)\Big(\sum_t \alpha_t\,e_t(w^{**}) + "
             r"4\sqrt{2 "
             r"S \log T}\Big), \quad \alpha_t \ge \tfrac{K}{1+K}\\ &K \ge \max\Big(\tfrac{1+XR}{\gamma\zeta},\ "
             r"\tfrac{R(X+R)}{4\gamma\sqrt{2 \log T}}\Big), \quad \zeta = \min_i \sum_t e_t(i)\end{aligned}",
             "Corollary 1", r"\gamma,\ \zeta,\ K,\ t_0", ("gamma",), ("γ", "ζ", "K", "t0")),
        Term("corollary-2", "Corollary 2", "For AKLO Sample: Theorem 1 plus a term for chance, with probability 1 − δ.",
             r"\ldots + \sqrt{8 \log(1/\delta) \sum_t \alpha_t^2}", "Corollary 2", r"\delta", ("delta",), ("δ",)),
        Term("theorem-2", "Theorem 2", "N is unknown: the doubling trick costs log N, and learning is no longer "
             "divided by √N.", r"\ldots + 4 \log(N)\sqrt{2 S \log T} + R(X+R) \sum_t (1-\alpha_t)", "Theorem 2"),
        Term("best-expert", "Best expert", "The expert with the least total loss on the task, known only afterwards.",
             r"w^{**} = \arg\min_i \sum_t e_t(i)", "Theorem 1", "w^{**}", symbols=("w**",)),
        Term("best-classifier", "Best classifier", "The classifier in the ball with the least total hinge loss, known "
             "only afterwards.", r"w^* = \arg\min_{\|w\| \le R} \sum_t \ell_t(w)", "Theorem 1", "w^*", symbols=("w*",)),
        Term("ball", "Ball", "The bounds want examples no longer than X, and learner and experts no longer than R.",
             r"\|x_t\| \le X, \qquad \|w\| \le R", "Theorem 1", "X,\\ R", ("radius",), ("X", "R")),
        Term("jensen", "Jensen", "Jensen's inequality: the loss of an average is at most the average of the losses. It "
             "needs every advice to be clipped before it is averaged.",
             r"\Big(\sum_i p_i a_i - y\Big)^2 \le \sum_i p_i\,(a_i - y)^2"),
        Term("counterexample", "Counterexample", "Data that breaks a stated bound: The last stretch (and The last "
             "stretch, drawn), A mistake for 0.92, A mistake for 0.89, Two against one, Faint experts, and the loud "
             "liar.", "", "ours", "", ("case", "mended_on", "stretch_n")),
        Term("reading", "Reading", "A choice that the paper leaves open: where the clip stands, the sign of 0, what a "
             "tie counts, and whether the losses behind a weight include the one at t. A counterexample that hangs on "
             "one such choice refutes that reading, not the paper.", "", "ours", "", ("zero_sign", "ties", "peek")),
        Term("loud-liar", "Loud liar", "Two experts, one always right, one always wrong with scores B times as large: "
             "clipped after the sum, the wrong one decides.", r"w^{(1)} = (1, 0), \qquad w^{(2)} = (-B, 0)", "ours",
             "B", ("loudness", "liar_n"), ("B",)),
        Term("mended", "Mended", "Three changes make the bound hold: experts lose |a − y|, weighted by alpha, and the "
             "learner steps by (1 − α) y x without shrinking.",
             r"\begin{aligned}\text{mistakes} \le\;& \sum_t \alpha_t\,|a_t(w^{**}) - y_t| + \sqrt{2 \log T \sum_t "
             r"\alpha_t^2}\\ &+ \sum_t (1-\alpha_t)\,\ell_t(w^*) + RX\sqrt{\sum_t (1-\alpha_t)^2}\end{aligned}", "ours",
             "", ("mended_on",)),
    ),
}
# fmt: on
