import { SEARCH_TYPES } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { exampleOrganization } from '../openapi/examples.js';
import { choice, limit, offset, type Parameter, queryId, required, text } from '../parameters.js';
import type { Route } from '../route.js';

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
    tag: 'Search',
    summary: 'Find text in everything that the caller may see',
    description:
      'Best first: the title itself, its beginning, a part of it, elsewhere; then by type, then by id. Members are found where the caller may list them, and notifications are those of the caller.',
    limit: 'searches',
    costly: 'searches',
    data: 'search.nodes',
    view: 'SearchResult',
    arguments: { q: 'query', type: 'types' },
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
      organization: exampleOrganization,
    },
  },
];
