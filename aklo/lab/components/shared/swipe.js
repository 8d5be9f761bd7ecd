// Swipes on a touch screen that begin on a range input. The browser moves the input to the finger at once, and finds out only
// then that the finger scrolls the page: what was moved has to be taken back.

// remember: returns the state before the gesture; restore: called with it, if the gesture was a swipe.
export function undoSwipes(range, remember, restore) {
  let before;
  range.addEventListener("pointerdown", () => { before = remember(); });
  range.addEventListener("pointercancel", () => restore(before));
}
