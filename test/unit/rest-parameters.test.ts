import { describe, expect, test } from '@jest/globals';
import { createSchema } from '../../src/resolvers/index.js';
import { DomainError } from '../../src/errors.js';
import { parametersOf } from '../../src/rest/request/parameters.js';
import { readParameters } from '../../src/rest/request/read-parameters.js';
import { isOperationRoute } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { compileRoutes } from '../../src/rest/view/core-path.js';

const routes = compileRoutes(await createSchema(), ROUTES);

function read(operationId: string, path: Record<string, string>, query = '') {
  const route = routes.find((each) => each.operationId === operationId);
  return readParameters(route && isOperationRoute(route) ? parametersOf(route) : [], path, `/api/v1/things${query}`);
}

const members = (query: string) => read('listOrganizationUsers', { organizationid: '1' }, query);
const notifications = (query: string) => read('listNotifications', {}, query);

function refusalOf(read: () => unknown): { code: string; messages: readonly unknown[] } {
  try {
    read();
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, messages: error.messages };
  }
  throw new Error('Nothing was refused');
}

describe('a path', () => {
  const named = (value: string) => read('readAvailableWorkflow', { workflowid: value });

  test('takes a name of 200 characters and finds nothing at a longer one', () => {
    expect(named('a'.repeat(200))).toEqual({ workflowid: 'a'.repeat(200) });
    expect(refusalOf(() => named('a'.repeat(201))).code).toBe('NOT_FOUND');
  });

  test.each(['A\0', 'A\n', 'A\ud800'])('finds nothing at a name that no database holds: %j', (value) => {
    expect(refusalOf(() => named(value)).code).toBe('NOT_FOUND');
  });

  test('is refused before the query is', () => {
    const both = () => read('listOrganizationUsers', { organizationid: 'x' }, '?limit=0');
    expect(refusalOf(both).code).toBe('NOT_FOUND');
  });
});

describe('a query', () => {
  test('that is absent leaves the page to the core', () => {
    expect(notifications('')).toEqual({});
    expect(notifications('?')).toEqual({});
  });

  test('gives each variable in the type of its argument', () => {
    const query = '?limit=100&offset=0&sort=-email&role=VIEWER&active=false&search=Ann%20a';
    expect(members(query)).toEqual({
      organizationid: 1,
      limit: 100,
      offset: 0,
      sort: { field: 'EMAIL', direction: 'DESC' },
      role: 'VIEWER',
      active: false,
      search: 'Ann a',
    });
    expect(notifications('?organization_id=7')).toEqual({ organization_id: 7 });
  });

  test('sorts upwards without a minus sign', () => {
    expect(members('?sort=username')).toMatchObject({ sort: { field: 'USERNAME', direction: 'ASC' } });
  });

  test('reports all errors at once, in the order of the route', () => {
    const query = '?search=%00&active=yes&role=viewer&sort=name&offset=-1&limit=101';
    expect(refusalOf(() => members(query))).toEqual({
      code: 'BAD_USER_INPUT',
      messages: [
        'limit must be from 1 to 100',
        'offset must be an integer of 0 or more',
        'sort must be one of username, -username, email, -email, role, -role',
        'role must be one of VIEWER, SECURITY_ANALYST, SECURITY_OFFICER, ORGANIZATION_MANAGER, ORGANIZATION_OWNER',
        'active must be true or false',
        'search must not contain control characters',
      ],
    });
  });

  test('takes ids up to the largest that a double represents exactly, and refuses the next one', () => {
    const organization = (id: string) => notifications(`?organization_id=${id}`);
    for (const id of ['2147483647', '2147483648', '9007199254740991'])
      expect(organization(id)).toEqual({ organization_id: Number(id) });
    for (const id of ['9007199254740992', '9007199254740993', '9'.repeat(20)])
      expect(refusalOf(() => organization(id)).messages).toEqual([
        'organization_id must not be greater than 9007199254740991',
      ]);
  });

  test('takes a position up to the largest that a double represents exactly, and refuses the next one', () => {
    const after = (position: string) => read('listAuditTrail', { id: '1' }, `?after_position=${position}`);
    for (const position of ['0', '2147483648', '10000000000', '9007199254740991'])
      expect(after(position)).toMatchObject({ after_position: Number(position) });
    for (const position of ['9007199254740992', '9007199254740993', '9'.repeat(20)])
      expect(refusalOf(() => after(position)).messages).toEqual([
        'after_position must not be greater than 9007199254740991',
      ]);
  });

  test.each(['0', 'x', '01', '', '9'.repeat(400)])('refuses the id %j', (value) => {
    const { messages } = refusalOf(() => notifications(`?organization_id=${value}`));
    expect(messages).toEqual(['organization_id must be an integer of 1 or more']);
  });

  test.each(['4', '-1', 'x', ''])('refuses the number %j where only a few numbers stand for something', (value) => {
    const { messages } = refusalOf(() => read('listCloudDefenders', {}, `?status=${value}`));
    expect(messages).toEqual(['status must be one of 0, 1, 2, 3']);
  });

  test('refuses more than a hundred values in a list', () => {
    const listed = (count: number) => read('listEvents', {}, `?types=${Array(count).fill('incident.opened').join()}`);
    expect(listed(100)).toBeDefined();
    expect(refusalOf(() => listed(101)).messages).toEqual(['types must not have more than 100 values']);
  });

  test('refuses an instant or a day that is none', () => {
    const instant = (text: string) => read('listDocuments', { organizationid: '1' }, `?created_from=${text}`);
    expect(instant('2026-11-20T08:15:30Z')).toMatchObject({ created_from: '2026-11-20T08:15:30Z' });
    expect(refusalOf(() => instant('2026-11-20')).messages).toEqual([
      'created_from must be a date-time such as 2026-11-20T08:15:30Z',
    ]);
  });

  test('refuses a search of more than 200 characters', () => {
    expect(members(`?search=${'a'.repeat(200)}`)).toMatchObject({ search: 'a'.repeat(200) });
    expect(refusalOf(() => members(`?search=${'a'.repeat(201)}`)).messages).toEqual([
      'search must not be longer than 200 characters',
    ]);
  });

  test('never repeats what was sent', () => {
    const { messages } = refusalOf(() => members('?sort=hunter2&role=hunter2&limit=hunter2'));
    expect(messages.join()).not.toContain('hunter2');
  });

  test('misses a parameter that is required', () => {
    expect(refusalOf(() => read('search', {})).messages).toEqual(['q is required']);
  });
});
