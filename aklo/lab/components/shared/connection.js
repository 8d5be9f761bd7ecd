// Whether the server can be reached: Streamlit writes the state of its connection to an attribute of the page's root.

export const STATE = "data-test-connection-state";

export const connectionState = () => document.querySelector(`[${STATE}]`)?.getAttribute(STATE);
export const isConnected = () => connectionState() === "CONNECTED";
