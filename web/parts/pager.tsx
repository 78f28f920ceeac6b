import { graphql } from '../gql/index.js';
import type { PageLinksFragment } from '../gql/graphql.js';
import { text } from '../texts.js';

/** Page size of lists. */
const PAGE = 25;

graphql(`
  fragment PageLinks on PageInfo {
    hasNextPage
    hasPreviousPage
    startCursor
    endCursor
  }
`);

/**
 * The page of a list that an address names. Without a cursor, as beside a page that has become empty, it is the first
 * or the last.
 */
export function pageOf(query: URLSearchParams) {
  const before = query.get('before');
  if (before !== null) return { last: PAGE, before: before || null };
  return { first: PAGE, after: query.get('after') || null };
}

/** Links to the previous and next pages; each has an address, so that "back" works. */
export function Pager({ info, query }: { info: PageLinksFragment; query: URLSearchParams }) {
  if (!info.hasNextPage && !info.hasPreviousPage) return null;
  const to = (name: 'after' | 'before', cursor: string | null) => {
    const next = new URLSearchParams(query);
    next.delete('after');
    next.delete('before');
    next.set(name, cursor ?? '');
    return `?${next}`;
  };
  return (
    <nav class="pager" aria-label={text('pages.pager.pages')}>
      {info.hasPreviousPage && (
        <a href={to('before', info.startCursor)} rel="prev">
          ‹ {text('pages.pager.previous')}
        </a>
      )}
      {info.hasNextPage && (
        <a href={to('after', info.endCursor)} rel="next">
          {text('pages.pager.next')} ›
        </a>
      )}
    </nav>
  );
}
