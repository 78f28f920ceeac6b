import { describe, expect, test } from '@jest/globals';
import { DomainError } from '../../src/errors.js';
import {
  choice,
  flag,
  limit,
  offset,
  pathId,
  pathText,
  queryId,
  required,
  sort,
  text,
  type Parameter,
} from '../../src/rest/parameters.js';
import { readParameters } from '../../src/rest/read-parameters.js';

const LIST: Parameter[] = [
  limit,
  offset,
  sort({ username: 'USERNAME', email: 'EMAIL' }, 'username'),
  choice('role', ['VIEWER', 'SECURITY_OFFICER'], 'Role.'),
  flag('read', 'Read.'),
  text('search', 'Search.', 'x'),
  queryId('organization_id', 'Organization.'),
];

function list(query: string) {
  return readParameters(LIST, {}, `/api/v1/things${query}`);
}

function refusalOf(read: () => unknown): { code: string; messages: readonly unknown[] } {
  try {
    read();
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, messages: error.messages };
  }
  throw new Error('Nothing was refused');
}

describe('a path', () => {
  const id = (value: unknown) => readParameters([pathId('id', 'Id.')], { id: value }, '/');

  test.each(['1', '7', '2147483647'])('takes %s for an id', (value) => {
    expect(id(value)).toEqual({ id: Number(value) });
  });

  test.each([
    '0',
    '-1',
    '+1',
    '01',
    '1.0',
    '1e3',
    '0x1',
    ' 1',
    '1 ',
    'abc',
    '',
    '2147483648',
    '99999999999',
    '١',
    undefined,
  ])('finds nothing at the id %j', (value) => {
    expect(refusalOf(() => id(value))).toEqual({ code: 'NOT_FOUND', messages: [1004] });
  });

  const named = (value: string) =>
    readParameters([pathText('artifactid', 'Artifact.', 'A')], { artifactid: value }, '/');

  test('takes a name of 200 characters and finds nothing at a longer one', () => {
    expect(named('a'.repeat(200))).toEqual({ artifactid: 'a'.repeat(200) });
    expect(refusalOf(() => named('a'.repeat(201))).code).toBe('NOT_FOUND');
  });

  test.each(['A\0', 'A\n', 'A\ud800'])('finds nothing at a name that no database holds: %j', (value) => {
    expect(refusalOf(() => named(value)).code).toBe('NOT_FOUND');
  });

  test('is refused before the query is', () => {
    const both = () => readParameters([limit, pathId('id', 'Id.')], { id: 'x' }, '/?limit=0');
    expect(refusalOf(both).code).toBe('NOT_FOUND');
  });
});

describe('a query', () => {
  test('that is absent asks for the default page', () => {
    expect(list('')).toEqual({ limit: 50 });
    expect(list('?')).toEqual({ limit: 50 });
  });

  test('says each variable in the type of its field', () => {
    expect(list('?limit=100&offset=0&sort=-email&role=VIEWER&read=false&search=Ann%20a&organization_id=7')).toEqual({
      limit: 100,
      offset: 0,
      sort: { field: 'EMAIL', direction: 'DESC' },
      role: 'VIEWER',
      read: false,
      search: 'Ann a',
      organization_id: 7,
    });
  });

  test('sorts upwards without a minus sign', () => {
    expect(list('?sort=username')).toMatchObject({ sort: { field: 'USERNAME', direction: 'ASC' } });
  });

  test('tells all faults at once, in the order of the table', () => {
    const query = '?organization_id=0&search=%00&read=yes&role=viewer&sort=name&offset=-1&limit=101';
    expect(refusalOf(() => list(query))).toEqual({
      code: 'BAD_USER_INPUT',
      messages: [
        'limit must be from 1 to 100',
        'offset must be an integer of 0 or more',
        'sort must be one of username, -username, email, -email',
        'role must be one of VIEWER, SECURITY_OFFICER',
        'read must be true or false',
        'search must not contain control characters',
        'organization_id must be an integer of 1 or more',
      ],
    });
  });

  test.each(['0', '101', '1.5', 'abc', '', '-1', '1e2', '0x10'])('refuses the limit %j', (value) => {
    expect(refusalOf(() => list(`?limit=${value}`)).messages).toEqual(['limit must be from 1 to 100']);
  });

  test('refuses an offset that no database can count to', () => {
    expect(list('?offset=2147483647')).toMatchObject({ offset: 2_147_483_647 });
    expect(refusalOf(() => list('?offset=2147483648')).code).toBe('BAD_USER_INPUT');
  });

  test('refuses a parameter that is given twice, even with one value', () => {
    expect(refusalOf(() => list('?limit=5&limit=5')).messages).toEqual(['limit must not be given twice']);
  });

  test('refuses a search of more than 200 characters', () => {
    expect(list(`?search=${'a'.repeat(200)}`)).toMatchObject({ search: 'a'.repeat(200) });
    expect(refusalOf(() => list(`?search=${'a'.repeat(201)}`)).messages).toEqual([
      'search must not be longer than 200 characters',
    ]);
  });

  test('may hold the token and parameters that are nobody knows whose', () => {
    expect(list('?X-Service-Token=scp_x&_=1&_=2')).toEqual({ limit: 50 });
  });

  test('never repeats what was sent', () => {
    const { messages } = refusalOf(() => list('?sort=hunter2&role=hunter2&limit=hunter2'));
    expect(messages.join()).not.toContain('hunter2');
  });

  test('misses a parameter that is required', () => {
    const parameters = [required(text('signature', 'Signature.', 'x'))];
    expect(refusalOf(() => readParameters(parameters, {}, '/')).messages).toEqual(['signature is required']);
  });
});
