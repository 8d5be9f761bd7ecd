// Sends what a visitor does with a control to the server, while it is dragged and when it is released.
//
// One move is under way at a time: the newest value waits until the server has answered the one before, so that moves
// never queue up. The server says which move it has heard last; a move that was lost with the connection is sent again.

export const BACK = "aklo-back"; // the window's event when the server can be reached again
export const LEAVE = "aklo-leave"; // the window's event when the visitor leaves the page: what waits is sent now
let count = 0; // of all controls, so that each move has a number of its own

export class Moves {
  constructor() {
    this.again = () => this.sent && this.send(this.sent);
    this.leave = () => this.next && this.transmit(this.next);
    window.addEventListener(BACK, this.again);
    window.addEventListener(LEAVE, this.leave);
  }

  // The control is gone.
  stop() {
    window.removeEventListener(BACK, this.again);
    window.removeEventListener(LEAVE, this.leave);
  }

  // What has come from the server: the number of the move that it has heard last, and a function that sends one.
  // Returns whether nothing is under way any more.
  receive(heard, send) {
    this.send = send;
    if (this.sent && this.sent.id !== heard) {
      this.send(this.sent); // it was lost, or its answer is still to come, and then it does no harm
      return false;
    }
    this.sent = null;
    if (!this.next) return true;
    this.transmit(this.next);
    return false;
  }

  // A drag begins: the moves until the next one are one step of the history.
  begin() {
    this.drag = ++count;
  }

  get dragging() {
    return this.drag !== undefined;
  }

  report(value, done) {
    const move = { id: ++count, value, drag: this.drag ?? count, done };
    if (done) this.drag = undefined;
    if (this.sent) this.next = move;
    else this.transmit(move);
  }

  transmit(move) {
    this.next = undefined;
    this.sent = move;
    this.send(move);
  }
}
