// The story: what a visitor has told so far. It holds the finished tasks and the current one as flat lists x1, x2, y, x1, x2,
// y, …, and the open question. It is kept in the tab's session storage, since a reload is a new session for the server.

const KEPT = "aklo-world";
const DIGITS = 4;

export class Story {
  constructor() {
    Object.assign(this, { serial: 0, tasks: [], now: [], ask: null, before: null });
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
      if (kept && Array.isArray(kept.tasks) && Array.isArray(kept.now) && kept.serial >= 0 && Number.isSafeInteger(kept.serial)) Object.assign(this, kept);
    } catch (error) {
      console.warn(`What was told cannot be kept over a reload: ${error.message}`);
    }
  }

  // The part that is sent to Python.
  get sent() {
    const { serial, tasks, now, ask } = this;
    return { serial, tasks, now, ask };
  }

  get told() {
    return this.now.length / 3;
  }

  get inAll() {
    return this.told + this.tasks.reduce((sum, task) => sum + task.length / 3, 0);
  }

  get canUndo() {
    return Boolean(this.ask || this.before || this.now.length || this.tasks.length);
  }

  // before: the state that Undo restores after a task, or everything, was cleared.
  change(words, before = null) {
    Object.assign(this, words, { before });
    this.serial += 1;
    this.keep();
  }

  keep() {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ ...this.sent, before: this.before }));
    } catch (error) {
      console.warn(`What was told cannot be kept over a reload: ${error.message}`);
    }
  }

  place(x1, x2) {
    this.change({ ask: [Number(x1.toFixed(DIGITS)), Number(x2.toFixed(DIGITS))] });
  }

  // Label the open question, and open the next one if it is given.
  tell(y, next = null) {
    this.change({ now: [...this.now, ...this.ask, y], ask: next });
  }

  finish() {
    this.change({ tasks: [...this.tasks, this.now], now: [], ask: null });
  }

  clear() {
    this.change({ now: [], ask: null }, { tasks: this.tasks, now: this.now, ask: this.ask });
  }

  startOver() {
    this.change({ tasks: [], now: [], ask: null }, { tasks: this.tasks, now: this.now, ask: this.ask });
  }

  // Undo one step: remove the open question, restore what was cleared, take back the last label (its example is the open
  // question again), or continue the last finished task.
  undo() {
    const { now, tasks } = this;
    if (this.ask) this.change({ ask: null });
    else if (this.before) this.change(this.before);
    else if (now.length) this.change({ now: now.slice(0, -3), ask: now.slice(-3, -1) });
    else if (tasks.length) this.change({ tasks: tasks.slice(0, -1), now: tasks.at(-1) });
  }
}
