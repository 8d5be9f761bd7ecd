// Mounting a component, and reading its data.

// Read the JSON that Python has sent as bytes.
export const readJson = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

// Let a component that shows nothing take up no space in the page's layout. Returns the element in which it stands there.
export function takeNoSpace(place) {
  const element = place.getRootNode().host?.closest("[data-testid=stElementContainer]");
  if (element) element.style.position = "absolute";
  return element;
}

// Return a component's default export. Streamlit calls it at every run of the script, and calls the clean-up function of a
// call that a newer one has replaced; so one object of the class lives in a place as long as anything is shown there.
// update(object, call): hands the object what the call has brought. A class with a picture has a method redraw(), which draws
// it at once for the size that its place has now; the root element offers it as akloRedraw().
export function mountOnce(Kind, update) {
  const mounted = new WeakMap();
  return (call) => {
    const place = call.parentElement;
    if (!mounted.has(place)) mounted.set(place, new Kind(place));
    const one = mounted.get(place);
    if (one.redraw) one.root.akloRedraw = () => one.redraw();
    const number = (one.calls = (one.calls ?? 0) + 1);
    update(one, call);
    return () => {
      if (number !== one.calls) return;
      mounted.delete(place);
      one.remove();
    };
  };
}
