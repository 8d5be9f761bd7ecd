// On a phone the sidebar lies over the page: a choice in its menu closes it, so that the page is seen that was chosen.

const PHONE = "(max-width: 767px)"; // where Streamlit lays the sidebar over the page

export function closeMenuAfterChoice() {
  document.addEventListener("click", (event) => {
    if (!window.matchMedia(PHONE).matches) return;
    if (!event.target.closest?.('[data-testid="stSidebar"] [data-testid="stPageLink-NavLink"]')) return;
    document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
  });
}
