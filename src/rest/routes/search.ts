import { LIMITS } from '../../vocabulary/limits.js';
import { SEARCH_TYPES } from '../../vocabulary/search-types.js';
import { operation } from '../documents.js';
import { choice, limit, offset, queryId, required, text, type Parameter } from '../parameters.js';
import type { Route } from '../route.js';

const SEARCH = operation(/* GraphQL */ `
  query Search($q: String!, $organization_id: Int, $type: [SearchType!], $limit: Int, $offset: Int) {
    search(query: $q, organizationId: $organization_id, types: $type, first: $limit, offset: $offset) {
      data: nodes {
        ...SearchResult
      }
      total: totalCount
    }
  }
`);

const { minCharacters, maxCharacters, maxOffset } = LIMITS.search;

const q: Parameter = required({
  ...text('q', 'What to look for, in whatever case and with or without accents. Taken literally.', 'supplier'),
  schema: { type: 'string', minLength: minCharacters, maxLength: maxCharacters },
  read(value) {
    const length = [...value.replaceAll(/\s+/gu, ' ').trim()].length;
    if (length >= minCharacters && length <= maxCharacters) return text('q', '', '').read(value);
    return { fault: `must have from ${minCharacters} to ${maxCharacters} characters` };
  },
});

const boundedOffset: Parameter = {
  ...offset,
  schema: { ...offset.schema, maximum: maxOffset },
  read(value) {
    const reading = offset.read(value);
    return 'value' in reading && Number(reading.value) > maxOffset
      ? { fault: `must be from 0 to ${maxOffset}` }
      : reading;
  },
};

export const SEARCH_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/search',
    operationId: 'search',
    source: 'decisions §2 and §4',
    tag: 'Search',
    summary: 'Find text in everything that the caller may see',
    description:
      'Best first: the title itself, its beginning, a part of it, elsewhere; then by type, then by id. Members are found where the caller may list them, and notifications are those of the caller.',
    carrier: 'sofa',
    limit: 'searches',
    costly: 'searches',
    document: SEARCH,
    parameters: [
      q,
      queryId('organization_id', 'Only in this organization.'),
      choice('type', SEARCH_TYPES, 'Only this kind.'),
      limit,
      boundedOffset,
    ],
    errors: ['BAD_USER_INPUT', 'NOT_FOUND'],
    example: {
      type: 'INCIDENT',
      id: '12',
      title: 'Phishing wave in Città di Castello',
      snippet: 'Mails in the name of the city council ask for passwords.',
      href: '/organizations/1/incidents/12',
      organization: { id: 1, name: 'Rossi Energia S.p.A.', logo: 'https://www.rossi-energia.example/logo.png' },
    },
  },
];
