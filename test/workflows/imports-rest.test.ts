import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestClock } from '../support/clock.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectError, expectStatus } from '../support/matchers.js';
import { seedTestData, join, type TestData } from '../support/test-data.js';
import { expectExactly, pagingCases } from '../support/rest.js';

const clock = new TestClock();
let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway({ now: clock.now });
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway.close());

beforeEach(async () => {
  await gateway.app.database.rows('delete from organization_workflow');
  await gateway.app.database.rows('delete from workflow_import');
});

const organizationPath = (id: number, rest: string) => `/api/v1/v-ciso/organizations/${id}${rest}`;
const pathOf = (id: number, rest = '') => organizationPath(id, `/available-workflows${rest}`);
const path = (rest = '') => pathOf(testData.organizationId, rest);
const AVAILABLE = '/api/v1/v-ciso/available-workflows';

const control = (id: string, more: object = {}) => ({ id, label: `Do ${id}`, kind: 'control', ...more });
const house = (more: object = {}) => ({
  id: 'house-rules',
  name: 'House rules',
  version: '3',
  source: { text: 'Our handbook' },
  licence: 'Ours',
  controls: [control('H1'), control('H1.1', { parent: 'H1' }), control('H2', { kind: 'task' })],
  ...more,
});
const titles = (more: object = {}) => ({
  ...house({ mode: 'TITLES', id: 'iso-27001-2022', name: 'ISO/IEC 27001:2022, official titles' }),
  controls: [control('A.5.1', { label: 'Official title of A.5.1' })],
  ...more,
});
const kept = { id: 'house-rules', mode: 'WORKFLOW', name: 'House rules', version: '3', controls: 3 };

const send = (body: unknown, { token } = testData.manager, organizationId = testData.organizationId) =>
  gateway.rest.post(pathOf(organizationId), { token, body });
const take = (id: string, organizationId = testData.organizationId, { token } = testData.manager) =>
  gateway.rest.post(organizationPath(organizationId, '/workflows'), { token, body: { id } });
const available = async (token: string) => {
  const { body } = await gateway.rest.get(AVAILABLE, { token });
  return body.data.map(({ id }: { id: string }) => id);
};

describe('POST …/available-workflows', () => {
  test('keeps a workflow, answers 201 with its place, and 200 when it replaces an earlier one', async () => {
    const by = { imported_by: testData.manager.username, imported_at: clock.now().toISOString() };
    const first = await send(house());
    expectExactly(first, 201, { error: 0, messages: [], data: { ...kept, ...by } });
    expect(first.headers.get('location')).toBe(path('/house-rules'));
    const again = await send(house({ version: '4', controls: [control('H9')] }));
    expectExactly(again, 200, { error: 0, messages: [], data: { ...kept, version: '4', controls: 1, ...by } });
    expect((await gateway.rest.get(path('/house-rules'), { token: testData.viewer.token })).body).toEqual(again.body);
  });

  test('takes the whole as YAML or as JSON in one text alike', async () => {
    const yaml = `\ufeffid: house-rules\nname: House rules\nversion: 3\nsource: { text: Our handbook }\nlicence: Ours\ncontrols:
  - { id: H1, label: Do H1, kind: control }
  - { id: H1.1, label: Do H1.1, kind: control, parent: H1 }
  - { id: H2, label: Do H2, kind: task }\n`;
    for (const text of [yaml, JSON.stringify(house())]) {
      await gateway.app.database.rows('delete from workflow_import');
      const answer = await send({ text });
      expectStatus(answer, 201);
      expect(answer.body.data).toMatchObject(kept);
      await take('house-rules');
      const list = await gateway.rest.get(
        organizationPath(testData.organizationId, '/workflows/house-rules/controls'),
        {
          token: testData.viewer.token,
        },
      );
      expect(list.body.data).toMatchObject([
        { id: 'H1', kind: 'CONTROL', parent_id: null },
        { id: 'H1.1', label: 'Do H1.1', parent_id: 'H1' },
        { id: 'H2', kind: 'TASK' },
      ]);
      await gateway.app.database.rows('delete from organization_workflow');
    }
  });

  test('tells every error with its place, and with its line where it was a text', async () => {
    const controls = [
      control('H1', { entities: ['essential'] }),
      { id: 'H 1', label: '', kind: 'chore', parent: 'H9' },
      control('H1', { parent: 'H1' }),
    ];
    expectError(await send(house({ id: 'House', version: undefined, controls })), 400, [
      "workflow: must have required property 'version'",
      'id: must match pattern "^[a-z0-9]+(-[a-z0-9]+)*$"',
      'controls[1].id: must match pattern "^[A-Za-z0-9]+([.-][A-Za-z0-9]+)*$"',
      'controls[1].label: must match pattern "^\\S(.*\\S)?$"',
      'controls[1].kind: must be one of control, task',
      'controls[1].parent: no control before this one has this id',
      'controls[2].id: is there twice',
      'controls[2].entities: must be among those of the heading',
    ]);
    const text = 'id: house\nname: House\nversion: 1\nlicence: Ours\nhue: red\ncontrols:\n  - id: a\n    label: A\n';
    expectError(await send({ text }), 400, [
      "workflow (line 1): must have required property 'source'",
      'workflow (line 1): unknown key hue',
      "controls[0] (line 7): must have required property 'kind'",
    ]);
    expectError(await send({ text: 'id: [' }), 400, ['workflow (line 1): is no valid YAML']);
    expectError(await send({ text: '{"id": ' }), 400, ['workflow: is no valid JSON']);
    expectError(await send(house({ name: 'a\u0007b' })), 400, ['name: must not contain control characters']);
  });

  test('wants exactly one form', async () => {
    const one = ['exactly one of text, file and the fields of a workflow must be given'];
    expectError(await send({}), 400, one);
    expectError(await send({ text: 'id: a', name: 'House' }), 400, one);
    expectError(await send({ ...house(), hue: 'red', organization_id: 1 }), 400, [
      'hue is not a known field',
      'organization_id is not a known field',
    ]);
  });

  test('takes 2,000 controls and not one more, and not a byte more than 1 MB of text', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => control(`C${index}`));
    expect((await send(house({ controls: many(2_000) }))).body.data).toMatchObject({ controls: 2_000 });
    expectError(await send(house({ controls: many(2_001) })), 400, ['controls: must NOT have more than 2000 items']);
    const text = JSON.stringify(house({ controls: many(2_000) }));
    expectStatus(await send({ text }), 200);
    const padded = (bytes: number) => `# ${'x'.repeat(bytes - 2)}`;
    const { graphql } = gateway;
    const query = 'mutation ($input: ImportWorkflowInput!) { importWorkflow(input: $input) { created } }';
    const over = async (bytes: number) => {
      const variables = { input: { organizationId: testData.organizationId, text: padded(bytes) } };
      const { body } = await graphql.call(query, { token: testData.manager.token, variables });
      return body.errors?.[0]?.extensions;
    };
    expect(await over(1024 * 1024)).toEqual({
      code: 'BAD_USER_INPUT',
      messages: ['workflow (line 1): must be object'],
    });
    expect(await over(1024 * 1024 + 1)).toEqual({
      code: 'FILE_TOO_LARGE',
      messages: ['File too large. Maximum size is 1 MB.'],
    });
  });

  test('is not brought to its knees by nesting, aliases or repetition', async () => {
    for (const opening of ['[', '- ', '? ', 'a: [']) {
      expectError(await send({ text: opening.repeat(250_000) }), 400, ['workflow: is nested too deep']);
    }
    const bomb = `a: &a [x, x]\nb: &b [*a, *a]\nid: [*b, *b]\n`;
    expectError(await send({ text: bomb }), 400, ['workflow: must not use aliases']);
    const entities = Array.from({ length: 60_000 }, () => 'essential');
    expectStatus(await send({ text: JSON.stringify(house({ controls: [control('H1', { entities })] })) }), 400);
  });

  test('never takes the place of a workflow that is there for everybody', async () => {
    expectError(await send(house({ id: 'iso-27001-2022' })), 400, [
      'id: belongs to a workflow that is there for everybody',
    ]);
    expectError(await send(titles({ id: 'house-rules' })), 400, [
      'id: belongs to no workflow that is there for everybody',
    ]);
    expectError(await send(titles({ controls: [control('A.5.1'), control('A.9.1')] })), 400, [
      'controls[1].id: is no control of iso-27001-2022',
    ]);
  });

  test('is refused while the workflow is taken up, and titles are not', async () => {
    await send(house());
    expectStatus(await take('house-rules'), 201);
    expectError(await send(house()), 409, [1009]);
    await take('iso-27001-2022');
    expectStatus(await send(titles()), 201);
    expectStatus(await send(titles()), 200);
  });

  test('keeps 50 imports of an organization and not one more, also when they come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 53 }, (_, index) => send(house({ id: `house-${index}`, controls: [control('H1')] }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused) expectError(answer, 400, ['an organization may keep 50 imports at most']);
    const [first] = answers.filter(({ status }) => status === 201);
    expectStatus(await send(house({ id: first!.body.data.id })), 200);
  });
});

describe('an imported workflow', () => {
  test('is available to the members of its organization and to nobody else', async () => {
    const shipped = await available(testData.owner.token);
    await send(house());
    for (const { token } of [testData.owner, testData.viewer]) {
      expect(await available(token)).toEqual(['house-rules', ...shipped]);
    }
    for (const { token } of [testData.nonMember, testData.userWithoutOrganization])
      expect(await available(token)).toEqual(shipped);
    const query = '{ workflow(id: "house-rules") { name controls { totalCount } } }';
    const { workflow } = await gateway.graphql.data(query, { token: testData.viewer.token });
    expect(workflow).toEqual({ name: 'House rules', controls: { totalCount: 3 } });
    const { body } = await gateway.graphql.call(query, { token: testData.nonMember.token });
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
  });

  test('can be taken up by its organization only, and looks absent to another', async () => {
    await send(house());
    expectError(await take('house-rules', testData.otherOrganizationId, testData.nonMember), 404, [1004]);
    expectStatus(await take('house-rules'), 201);
    expectStatus(
      await send(house({ controls: [control('X1')] }), testData.nonMember, testData.otherOrganizationId),
      201,
    );
    expectStatus(await take('house-rules', testData.otherOrganizationId, testData.nonMember), 201);
    const controls = (id: number) => organizationPath(id, '/workflows/house-rules/controls');
    const theirs = await gateway.rest.get(controls(testData.otherOrganizationId), { token: testData.nonMember.token });
    expect(theirs.body.data).toMatchObject([{ id: 'X1' }]);
    const ours = await gateway.rest.get(controls(testData.organizationId), { token: testData.viewer.token });
    expect(ours.body.total).toBe(3);
  });

  test('is listed once for who belongs to two organizations that use one id', async () => {
    await send(house());
    await send(house({ name: 'Theirs' }), testData.nonMember, testData.otherOrganizationId);
    await join(gateway.app.database, testData.officer, testData.otherOrganizationId, 'VIEWER');
    expect((await available(testData.officer.token)).filter((id: string) => id === 'house-rules')).toHaveLength(1);
  });

  test('takes documents and shows progress like any other', async () => {
    await send(house());
    await take('house-rules');
    const one = organizationPath(testData.organizationId, '/workflows/house-rules');
    const { token } = testData.analyst;
    const upload = { filename: 'p.txt', content: 'cG9saWN5', content_type: 'text/plain' };
    expectStatus(await gateway.rest.post(`${one}/documents/H1.1/versions`, { token, body: upload }), 201);
    expectError(await gateway.rest.post(`${one}/documents/H3/versions`, { token, body: upload }), 404, [1004]);
    await gateway.rest.call('PATCH', `${one}/controls/H2`, { token, body: { status: 'DONE' } });
    expect((await gateway.rest.get(one, { token })).body.data.progress).toMatchObject({ total: 2, done: 1 });
    const control = (await gateway.rest.get(`${one}/controls/H1.1`, { token })).body.data;
    expect(control.evidence).toEqual({ own: 1, mapped: 0, total: 1, sources: [] });
  });
});

describe('imported titles', () => {
  const label = async (organizationId: number, { token } = testData.owner) => {
    const one = organizationPath(organizationId, '/workflows/iso-27001-2022/controls/A.5.1');
    return (await gateway.rest.get(one, { token })).body.data.label;
  };

  test('stand in place of our labels for that organization only, and go with the import', async () => {
    await take('iso-27001-2022');
    await take('iso-27001-2022', testData.otherOrganizationId, testData.nonMember);
    const ours = await label(testData.organizationId);
    await send(titles());
    expect(await label(testData.organizationId)).toBe('Official title of A.5.1');
    expect(await label(testData.otherOrganizationId, testData.nonMember)).toBe(ours);
    const query = '{ workflow(id: "iso-27001-2022") { name } }';
    const { workflow } = await gateway.graphql.data(query, { token: testData.owner.token });
    expect(workflow.name).toBe('ISO/IEC 27001:2022');
    expect(await available(testData.owner.token)).toEqual(await available(testData.nonMember.token));
    const gone = await gateway.rest.call('DELETE', path('/iso-27001-2022'), { token: testData.manager.token });
    expectStatus(gone, 200);
    expect(await label(testData.organizationId)).toBe(ours);
  });

  test('are believed on another instance as soon as they are announced', async () => {
    const other = await startGateway({ database: gateway.database, dataDir: gateway.dataDir });
    try {
      await take('iso-27001-2022');
      const one = organizationPath(testData.organizationId, '/workflows/iso-27001-2022/controls/A.5.1');
      const there = async () => (await other.rest.get(one, { token: testData.owner.token })).body.data.label;
      expect(await there()).not.toBe('Official title of A.5.1');
      await send(titles());
      const deadline = performance.now() + 5_000;
      while ((await there()) !== 'Official title of A.5.1' && performance.now() < deadline);
      expect(await there()).toBe('Official title of A.5.1');
    } finally {
      await other.close();
    }
  });
});

describe('GET …/available-workflows', () => {
  pagingCases((query) => gateway.rest.get(`${path()}?${query}`, { token: testData.viewer.token }));

  test('lists what the organization has imported, by id', async () => {
    await send(titles());
    await send(house());
    const { body } = await gateway.rest.get(path(), { token: testData.viewer.token });
    expect(body.total).toBe(2);
    expect(body.data).toMatchObject([kept, { id: 'iso-27001-2022', mode: 'TITLES', controls: 1 }]);
    const theirs = await gateway.rest.get(pathOf(testData.otherOrganizationId), { token: testData.nonMember.token });
    expect(theirs.body).toMatchObject({ data: [], total: 0 });
  });
});

describe('DELETE …/available-workflows/{workflowid}', () => {
  beforeEach(() => send(house()));

  const remove = (id = 'house-rules') => gateway.rest.call('DELETE', path(`/${id}`), { token: testData.manager.token });

  test('removes it, not while it is taken up, and leaves its states for another time', async () => {
    await take('house-rules');
    const controlPath = organizationPath(testData.organizationId, '/workflows/house-rules/controls/H2');
    await gateway.rest.call('PATCH', controlPath, { token: testData.manager.token, body: { status: 'DONE' } });
    expectError(await remove(), 409, [1009]);
    const one = organizationPath(testData.organizationId, '/workflows/house-rules');
    await gateway.rest.call('DELETE', one, { token: testData.manager.token });
    const gone = await remove();
    expectStatus(gone, 200);
    expect(gone.body.data).toMatchObject(kept);
    expectError(await remove(), 404, [1004]);
    expectError(await take('house-rules'), 404, [1004]);
    await send(house());
    await take('house-rules');
    const again = await gateway.rest.get(controlPath, { token: testData.viewer.token });
    expect(again.body.data).toMatchObject({ status: 'DONE' });
  });

  test('removes nothing of ours, nor what nobody imported', async () => {
    for (const id of ['nis2-directive', 'nobody', '__proto__']) expectError(await remove(id), 404, [1004]);
  });

  test('never leaves an association without its workflow, however the calls fall', async () => {
    for (let round = 0; round < 8; round += 1) {
      await gateway.app.database.rows('delete from organization_workflow');
      await send(house());
      await Promise.all([take('house-rules'), remove(), send(house()), remove()]);
      const [row] = await gateway.app.database.rows<{ taken: number; kept: number }>(
        `select (select count(*) from organization_workflow) as taken, (select count(*) from workflow_import) as kept`,
      );
      expect(row!.taken <= row!.kept).toBe(true);
    }
  });
});
