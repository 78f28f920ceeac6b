import { LIMITS } from '../../values/limits.js';
import { exampleOrganization } from '../openapi/examples.js';
import { routesAbout } from '../route.js';

const { minCharacters, maxCharacters, maxOffset } = LIMITS.search;

const length = `must have from ${minCharacters} to ${maxCharacters} characters`;

export const SEARCH_ROUTES = routesAbout({ tag: 'Search' }, [
  {
    method: 'GET',
    path: '/api/v1/search',
    operationId: 'search',
    summary: 'Find text in everything that the caller may see',
    description:
      'Best first: the title itself, its beginning, a part of it, elsewhere; then by type, then by id. Members are found where the caller may list them, and notifications are the newest 5,000 of the caller. At most 1,000 results of each kind are found; a `total` of 1,000 stands for 1,000 or more.',
    costly: 'searches',
    data: 'search.nodes',
    view: 'SearchResult',
    arguments: { q: 'query', type: 'types' },
    parameters: 'q organization_id type limit offset',
    constraints: {
      q: {
        minLength: minCharacters,
        maxLength: maxCharacters,
        text: 'line',
        trim: true,
        sentences: { minLength: length, maxLength: length },
      },
      offset: { maximum: maxOffset, sentences: { maximum: `must be from 0 to ${maxOffset}` } },
    },
    examples: { q: 'supplier' },
    errors: ['NOT_FOUND'],
    example: {
      type: 'INCIDENT',
      id: '12',
      title: 'Phishing wave in Città di Castello',
      snippet: 'Mails in the name of the city council ask for passwords.',
      href: '/organizations/1/incidents/12',
      organization: exampleOrganization,
    },
  },
]);
