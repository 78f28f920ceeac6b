/** When the page was last reloaded, stored in the tab. */
const READ_ANEW = 'read-anew';
/** Maximum duration of an update that has begun: the page is not reloaded a second time within it. */
const MINUTE = 60_000;

const reasons = new Set<unknown>();

/** Blocks reloads until the returned function is called: the page shows content that a reload would lose. */
export function stayOpen(): () => void {
  const reason = Symbol();
  reasons.add(reason);
  return () => void reasons.delete(reason);
}

/**
 * Script and gateway have different versions, as during a rolling update: reloads the page, at most once a minute.
 * Entered text remains in the tab.
 */
export function readAnew(): void {
  if (reasons.size > 0 || Date.now() - Number(sessionStorage.getItem(READ_ANEW)) < MINUTE) return;
  sessionStorage.setItem(READ_ANEW, String(Date.now()));
  location.reload();
}
