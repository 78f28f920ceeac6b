import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ROOT } from './settings.js';

/** The named parts of a path. */
export type Parts = Readonly<Record<string, string>>;

export interface Route {
  /** `organizations/:id`: a part that begins with a colon matches any text. */
  path: string;
  page: ComponentType<{ parts: Parts }>;
}

/** An address of these pages; values are encoded: link`organizations/${id}/incidents`. */
export function link(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return ROOT + parts.reduce((path, part, index) => path + encodeURIComponent(values[index - 1]!) + part);
}

/** The page of a path, with its named parts. */
export function matched(routes: readonly Route[], pathname: string): { route: Route; parts: Parts } | undefined {
  if (!pathname.startsWith(ROOT)) return undefined;
  const given = pathname.slice(ROOT.length).replace(/\/$/, '').split('/');
  for (const route of routes) {
    const parts = partsOf(route.path.split('/'), given);
    if (parts !== undefined) return { route, parts };
  }
  return undefined;
}

function partsOf(wanted: readonly string[], given: readonly string[]): Parts | undefined {
  if (wanted.length !== given.length) return undefined;
  const parts: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index]!;
    if (!part.startsWith(':')) {
      if (part !== text) return undefined;
      continue;
    }
    try {
      parts[part.slice(1)] = decodeURIComponent(text);
    } catch {
      return undefined;
    }
  }
  return parts;
}

const MOVED = 'moved';
const AGAIN = 'again';
let moved = false;

/** Whether another page than the first was opened. */
export const hasMoved = () => moved;

/** Calls `listener` when a link to the open page is followed. */
export function onAgain(listener: () => void): () => void {
  addEventListener(AGAIN, listener);
  return () => removeEventListener(AGAIN, listener);
}

/** Opens one of these pages without a reload. */
export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (new URL(address, location.href).href === location.href) return void dispatchEvent(new Event(AGAIN));
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  moved = true;
  dispatchEvent(new Event(MOVED));
}

/** The address of the open page. Links to these pages change it; other links load their page. */
export function useAddress(routes: readonly Route[]): URL {
  const [href, setHref] = useState(location.href);
  useEffect(() => {
    const show = () => setHref(location.href);
    const clicked = (event: MouseEvent) => {
      const anchor = event.target instanceof Element ? event.target.closest('a') : null;
      if (anchor === null || event.defaultPrevented || event.button !== 0 || anchor.target !== '') return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || anchor.hasAttribute('download')) return;
      const to = new URL(anchor.href);
      if (to.origin !== location.origin || matched(routes, to.pathname) === undefined) return;
      if (to.hash !== '' && to.pathname === location.pathname) return;
      event.preventDefault();
      go(to.href);
      scrollTo(0, 0);
    };
    addEventListener('popstate', show);
    addEventListener(MOVED, show);
    document.addEventListener('click', clicked);
    return () => {
      removeEventListener('popstate', show);
      removeEventListener(MOVED, show);
      document.removeEventListener('click', clicked);
    };
  }, [routes]);
  return new URL(href);
}
