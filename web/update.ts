/** When the page was read anew, in the tab. */
const READ_ANEW = 'read-anew';
/** As long as an update may take that has only begun: the page is not read anew a second time. */
const MINUTE = 60_000;

const reasons = new Set<unknown>();

/** Leaves the page as it is until it is called back: it shows what another reading would lose. */
export function stayOpen(): () => void {
  const reason = Symbol();
  reasons.add(reason);
  return () => void reasons.delete(reason);
}

/**
 * Script and gateway are of different versions, as while instances are replaced one by one: reads the page anew, once a minute.
 * What was typed stays in the tab.
 */
export function readAnew(): void {
  if (reasons.size > 0 || Date.now() - Number(sessionStorage.getItem(READ_ANEW)) < MINUTE) return;
  sessionStorage.setItem(READ_ANEW, String(Date.now()));
  location.reload();
}
