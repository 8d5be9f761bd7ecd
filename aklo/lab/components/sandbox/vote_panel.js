// The vote before the label: the scores of the learner and of the knowledge base, and the mixture of both.

import { stepOf } from "../player/formula.js";
import { KNOWING } from "../shared/constants.js";
import { h, setDisabled, setText } from "../shared/dom.js";
import { methodColour } from "../shared/legend.js";
import { decimal, sign } from "../shared/numbers.js";
import { Panel } from "../shared/panel.js";

export class VotePanel extends Panel {
  constructor({ tell }) {
    super(
      "voices", "Before the label",
      "Each bar is a word between −1 and +1, the longer the surer. The learner knows only this task; knowledge is what the experts of "
      + "earlier tasks say, weighted as the chosen method weighs them. The vote gives knowledge the share α and the learner the rest; "
      + "its sign is the prediction. A rule that learns α has the shares of its weights, and may weigh the votes in a way of its own.",
      { left: 0, right: 0, top: 0, bottom: 0 },
    );
    this.rows = [["learner", "Learner"], ["knowledge", "Knowledge"], ["vote", "The vote"]].map(([kind, name]) => {
      const share = h("span", { class: "share" });
      const bar = h("span", { class: "fill" });
      const number = h("span", { class: "number" });
      const element = h("li", { class: kind }, h("span", { class: "who" }, h("b", { text: name }), share),
        h("span", { class: "scale", "aria-hidden": "true" }, bar), number);
      return { element, share, bar, number };
    });
    this.list = h("ul", { class: "words" }, ...this.rows.map((row) => row.element));
    const press = (y, key) => {
      const element = h("button", { type: "button", class: `tellit ${y > 0 ? "plus" : "minus"}`, text: `It is ${sign(y)}`,
        title: `Tell the label of the open question (key ${key})` });
      element.addEventListener("click", () => tell(y));
      return element;
    };
    this.labels = [press(-1, "−"), press(1, "+")];
    this.body.replaceChildren(this.list, h("div", { class: "labels", role: "group", "aria-label": "Tell the label" }, ...this.labels));
  }

  layout() {}

  draw(view) {
    const { pending, telling, answered, method, colours, dark } = view;
    setText(this.heading, pending || !view.spoken ? "Before the label" : "What was said");
    for (const press of this.labels) setDisabled(press, !(pending && telling));
    const step = view.spoken && stepOf(view.spoken);
    const votes = step ? this.votesOf(step) : null;
    const tones = [colours.learner, colours.accent, methodColour(method, dark)];
    this.rows.forEach((row, k) => {
      const [share, value, text] = votes?.[k] ?? ["", null, pending && !answered ? "…" : ""];
      setText(row.share, share);
      setText(row.number, text);
      const known = value !== null && !Number.isNaN(value);
      const [from, to] = known ? [50 + 50 * Math.min(0, value), 50 + 50 * Math.max(0, value)] : [50, 50];
      Object.assign(row.bar.style, { left: `${from}%`, width: `${to - from}%`, background: tones[k] });
      row.element.classList.toggle("silent", !known);
    });
  }

  // [weight, value, text] for the learner, the knowledge base and the vote.
  votesOf({ method, alpha, asks, word, own, said, task, value }) {
    const asked = asks && !Number.isNaN(word);
    const nobody = !KNOWING.includes(method) && !task.rule ? `${method} asks nobody` : task.T ? "not asked any more" : "no experts yet";
    const vote = !Number.isNaN(value) ? value : asked ? (1 - alpha) * own + alpha * word : own;
    return [
      [`× ${decimal(1 - alpha, 2)}`, own, decimal(own, 2)],
      [asked ? `× ${decimal(alpha, 2)}` : "", asked ? word : null, asked ? decimal(word, 2) : nobody],
      ["", vote, `${decimal(vote, 2)}: ${sign(said)}`],
    ];
  }
}
