// Sends what a visitor does with a component to the server: while it is dragged, and when it is released.
//
// Moves never queue up: while the server has not answered the last message, further moves wait and go together. Of one
// gesture only the newest waits. The server says which move it has heard last. A message may be lost with the connection, or
// because Streamlit holds only the newest message of a component while the script runs; then it is sent again.

export const BACK = "aklo-back"; // the window's event when the server can be reached again
export const LEAVE = "aklo-leave"; // the window's event when the visitor leaves the page: what waits is sent now

// Each move and each gesture gets a number of its own. Every component's script has this module once more, so the last number
// is shared through a global name: the server takes a move only if its number is higher than that of the last one.
const numbers = (globalThis.akloMoveNumbers ??= { last: 0 });

export class Moves {
  // leaving(): called before what waits is sent because the visitor leaves the page.
  constructor(leaving = () => {}) {
    this.sent = [];
    this.waiting = [];
    this.ended = new AbortController();
    const { signal } = this.ended;
    window.addEventListener(BACK, () => this.sent.length && this.send(this.sent), { signal });
    window.addEventListener(LEAVE, () => {
      leaving();
      if (this.waiting.length) this.transmit();
    }, { signal });
  }

  // The component is gone.
  stop() {
    this.ended.abort();
  }

  // What has come from the server: the number of the move that it has heard last, and a function that sends a list of moves.
  // Returns whether it has heard everything. Only then may a component show a value that the server tells it: until then the
  // visitor has set another one.
  receive(heard, send) {
    this.send = send;
    if (this.sent.length && this.sent.at(-1).id !== heard) {
      this.send(this.sent); // it was lost, or its answer is still to come, and then it does no harm
      return false;
    }
    this.sent = [];
    if (!this.waiting.length) return true;
    this.transmit();
    return false;
  }

  // Begin a gesture, such as a drag: its moves are one step of the history. Returns its number.
  begin() {
    return ++numbers.last;
  }

  // A move to a value. gesture: the one that it is part of; done: whether that is over.
  report(value, gesture = this.begin(), done = true) {
    if (this.waiting.at(-1)?.drag === gesture) this.waiting.pop();
    this.waiting.push({ id: ++numbers.last, value, drag: gesture, done });
    if (!this.sent.length) this.transmit();
  }

  transmit() {
    this.sent = [...this.sent, ...this.waiting];
    this.waiting = [];
    this.send(this.sent);
  }
}
