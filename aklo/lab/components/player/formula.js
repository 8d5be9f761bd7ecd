// The formula: the prediction of the chosen method in numbers, and one line of text that explains it.

import { asksExperts, drawnAt } from "./task.js";
import { KNOWING } from "../shared/constants.js";
import { h, setText } from "../shared/dom.js";
import { decimal, percent, sign } from "../shared/numbers.js";
import { explained, freshId } from "../shared/panel.js";

export class Formula {
  constructor() {
    this.formula = h("p", { class: "formula" });
    this.verdict = h("p", { class: "verdict" });
    const { ask, note } = explained(freshId("formula"), "The prediction in numbers",
      "The value in the brackets is the learner's score times 1 − α plus knowledge's word times α, each cut to [−1, 1]; its "
      + "sign is the prediction ŷ. The line below says whose word decided, and, once the label is told, whether it was right.");
    this.element = h("div", { class: "sentence" }, ask, note, this.formula, this.verdict);
    this.parts = [];
  }

  draw(view) {
    const told = `${view.version} ${view.t} ${view.phase} ${view.method}`;
    if (this.told === told) return;
    this.told = told;
    const step = stepOf(view);
    this.write(formulaOf(step));
    setText(this.verdict, verdictOf(step));
  }

  // Write pieces [class, text] into spans, which are used again, so that a step changes a few texts only.
  write(pieces) {
    while (this.parts.length < pieces.length) {
      const span = h("span");
      this.parts.push(span);
      this.formula.append(span);
    }
    this.parts.forEach((span, k) => {
      const [kind, text] = pieces[k] ?? ["", ""];
      if (span.className !== kind) span.className = kind;
      setText(span, text);
    });
  }

  get text() {
    return `${this.parts.map((span) => span.textContent).join("")}. ${this.verdict.textContent}`;
  }
}

// The quantities of the formula for the chosen method at this step.
export function stepOf({ task, t, phase, method }) {
  const m = task.methods.indexOf(method);
  const y = task.labels[t - 1];
  const wrong = task.errors[m * task.n + t - 1] === 1;
  const asks = asksExperts(task, method);
  const alpha = asks ? task.alpha[t - 1] : 0;
  const { rule } = task;
  const word = rule ? rule.words[t - 1] : asks ? task.words[KNOWING.indexOf(method) * task.n + t - 1] : NaN;
  const drawn = drawnAt(task, method, t);
  return {
    task, method, t, y, wrong, alpha, asks, word, told: phase === "tell", field: rule && asks ? rule.field : null,
    value: rule ? rule.values[t - 1] : NaN,
    own: method === "TOL" ? task.tol[t - 1] : task.own[t - 1],
    said: wrong ? -y : y,
    asked: drawn < 0 ? "" : task.names[drawn],
  };
}

function formulaOf({ y, wrong, alpha, asks, word, own, said, told, field, value }) {
  const number = (x) => (x < 0 ? `(${decimal(x)})` : decimal(x));
  const inside = field === "vote" ? [["what", "vote for +1 "], ["num", decimal((1 + value) / 2)], ["", " − "],
    ["what", `vote for ${sign(-1)} `], ["num", decimal((1 - value) / 2)]]
    : field === "" ? [["what", "the rule's value "], ["num word", decimal(value)]]
    : asks
    ? [["", "(1 − "], ["what", "α "], ["num alpha", decimal(alpha)], ["", ") · "], ["what", "learner "], ["num own", number(own)],
      ["", " + "], ["what", "α "], ["num alpha", decimal(alpha)], ["", " · "], ["what", "knowledge "],
      ["num word", Number.isNaN(word) ? "O" : number(word)]]
    : [["what", "learner "], ["num own", decimal(own)]];
  const truth = told
    ? [["", ", truth "], [y > 0 ? "label plus" : "label minus", sign(y)], ["", ", "],
      [wrong ? "mark wrong" : "mark right", wrong ? "mistake" : "right"]]
    : [["", ", truth "], ["label", "?"]];
  return [["hat", "ŷ"], ["", " = sign["], ...inside, ["", "] = "], [said > 0 ? "label plus" : "label minus", sign(said)], ...truth];
}

// Whom a pool trusts, and what they say.
function poolWords({ alpha, own, word }) {
  const trusted = `the learner says ${decimal(own, 2)} and has ${percent(1 - alpha)} of the trust`;
  return Number.isNaN(word) ? trusted : `${trusted}, knowledge says ${decimal(word, 2)} and has ${percent(alpha)}`;
}

function verdictOf(step) {
  const { method, task, alpha, asks, own, word, said, wrong, told, asked } = step;
  const ending = told ? (wrong ? "wrong" : "right") : null;
  const close = (subject) => (ending ? `, and ${subject} ${ending}` : `; ${subject.split(" ")[0] === "they" ? "are they" : "is it"} right?`);
  let words;
  if (method === "TOL") words = `one learner over all tasks decides${close("it is")}`;
  else if (method === "ITOL") words = `the learner alone decides${close("it is")}`;
  else if (!task.T) words = `the learner alone decides, there are no experts yet${close("it is")}`;
  else if (step.field === "vote") words = poolWords(step) + close("it is");
  else if (step.field === "") words = `the rule predicts in a way of its own${close("it is")}`;
  else if (!asks || alpha === 0) words = `the learner alone decides, nobody asks the experts any more${close("it is")}`;
  else if (alpha === 1) words = `knowledge alone decides${close("it is")}`;
  else if (own === 0) words = `the learner has nothing to say yet, knowledge decides${close("it is")}`;
  else if ((own >= 0) === (word >= 0)) words = `knowledge and learner agree${close("they are")}`;
  else if ((word >= 0) === (said > 0)) words = `knowledge is overruling the learner${close("it is")}`;
  else words = `knowledge and learner disagree; the learner wins${close("it is")}`;
  const whole = asked ? `it asked the expert from ${asked}: ${words}` : words;
  return whole[0].toUpperCase() + whole.slice(1) + (whole.endsWith("?") ? "" : ".");
}
