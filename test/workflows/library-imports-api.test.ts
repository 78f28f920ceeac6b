import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { expectStatus } from '../support/matchers.js';
import { mutation } from '../support/operations.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const IMPORT = `id: workflowId mode name version: edition source source_url: sourceUrl licence remarks controls: controlCount`;
const PATH = '/api/v1/v-ciso/organizations/{organization_id}';
const CONTROLS = `controls { nodes { id: controlId label text parent_id: parentId kind } }`;

const OPERATIONS = {
  import: mutation(`POST ${PATH}/available-workflows`, 'importWorkflow', `workflowImport { ${IMPORT} }`),
  read: {
    rest: `GET ${PATH}/available-workflows/{workflow_id}`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!) {
      workflowImport(organizationId: $organizationId, workflowId: $workflowId) { ${IMPORT} } }`,
    at: 'workflowImport',
  },
  controls: {
    rest: `GET ${PATH}/workflows/{workflow_id}/controls`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!) {
      organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) { ${CONTROLS} } }`,
    at: 'organizationWorkflow.controls.nodes',
  },
} satisfies Record<string, Operation>;

const MAKER = 'urn:acme:risk';
const HEAD = `convert_library_version: v2
urn: ${MAKER}:library:harbour-2.0
locale: en
ref_id: HARBOUR
name: Rules of the harbour
description: What ships and piers have to keep.
copyright: |-
  © Harbour Office.
  May be copied with this notice.
version: 7
publication_date: 2026-05-04
provider: Harbour Office
packager: acme
translations:
  fr: { name: Règles du port }
dependencies: ["${MAKER}:library:doc"]
objects:
`;
const NODE = `${MAKER}:req_node:harbour-2.0`;
const FRAMEWORK = `  framework:
    urn: ${MAKER}:framework:harbour-2.0
    ref_id: HARBOUR
    name: Harbour rules
    min_score: 1
    implementation_groups_definition:
    - { ref_id: S, name: Small }
    requirement_nodes:
`;
/** A framework node on a separate line: its address ends in its number in lower case. */
const node = (number: string, isAssessable: boolean, more = '') =>
  `    - { urn: "${NODE}:${number.toLowerCase().replaceAll(' ', '-')}", assessable: ${isAssessable}, depth: 1, ref_id: "${number}"${more} }\n`;
const below = (number: string) => `, parent_urn: "${NODE}:${number.toLowerCase()}"`;
const NODES =
  node('PRE', false, ', name: Preamble, description: Read this first.') +
  node('B', false, ', name: Berths') +
  node('B.1', true, `${below('B')}, name: Mooring, description: "Ships are moored.\\n- fore\\n- aft"`) +
  node('B.1(2)', true, `${below('B.1')}, description: Lines are checked daily.`) +
  `    - { urn: "${NODE}:b:9", assessable: true, depth: 2, name: No number${below('B')} }\n` +
  node('R7', true).replace('true', 'True') +
  node('R7+', true, ', name: Stronger, annotation: In a storm.');
const LIBRARY = `${HEAD}${FRAMEWORK}${NODES}`;
const NOT_STORED =
  'Not stored: convert_library_version, dependencies, implementation_groups_definition, min_score, translations.';
const WITH_ANNOTATION = NOT_STORED.replace('convert', 'annotation, convert');

const pair = (
  source: string,
  target: string,
  relationship = 'intersect',
  [from, to] = [NODE, 'urn:x:risk:req_node:iso'],
) =>
  `      - { source_requirement_urn: "${from}:${source}", target_requirement_urn: "${to}:${target}", relationship: ${relationship} }\n`;
const ISO_NODE = 'urn:x:risk:req_node:iso27001-2022';
const set = (pairs: string, [from, to] = ['acme:risk:framework:harbour-2.0', 'x:risk:framework:iso27001-2022']) =>
  `    - urn: ${MAKER}:req_mapping_set:harbour
      source_framework_urn: urn:${from}
      target_framework_urn: urn:${to}
      requirement_mappings:
${pairs}`;
const MAPPING_HEAD = `${HEAD.replace('library:harbour-2.0', 'library:harbour-to-iso')}  requirement_mapping_sets:\n`;

const { gateway, testData } = await startSeededGateway();
beforeEach(async () => {
  for (const table of ['organization_workflow', 'workflow_import'])
    await gateway.app.database.rows(`delete from ${table}`);
});

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object, person = testData.manager) =>
    callThrough(api, gateway, OPERATIONS[name], { organization_id: testData.organizationId, ...input }, person.token);
  const send = (text: string, more: object = {}) => call('import', { text, ...more });
  const refused = async (text: string, messages: string[], more: object = {}) => {
    expectFailure(await send(text, more), 'BAD_USER_INPUT', messages);
    expect((await gateway.app.database.rows('select 1 from workflow_import')).length).toBe(0);
  };
  const controlsOf = async (id: string) => {
    const path = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows`;
    expectStatus(await gateway.rest.post(path, { token: testData.manager.token, body: { id } }), 201);
    return dataOf(await call('controls', { workflow_id: id })) as unknown as Record<string, string | null>[];
  };

  test('a library becomes a workflow that says where it comes from and under which terms', async () => {
    const stored = {
      ...{ id: 'harbour-2-0', mode: 'WORKFLOW', name: 'Harbour rules', version: '7', controls: 6, source_url: null },
      source: `CISO Assistant library ${MAKER}:library:harbour-2.0, version 7 of 2026-05-04, provided by Harbour Office, packaged by acme. What ships and piers have to keep.`,
      licence: '© Harbour Office.\nMay be copied with this notice.',
      remarks: `Parts below which nothing is assessed are left out: 1. ${WITH_ANNOTATION}`,
    };
    expect(dataOf(await send(LIBRARY))).toMatchObject(stored);
    expect(dataOf(await call('read', { workflow_id: 'harbour-2-0' }, testData.viewer))).toMatchObject(stored);
    expect(dataOf(await send(LIBRARY, { id: 'ours' }))).toMatchObject({ ...stored, id: 'ours' });
    expect(dataOf(await send(LIBRARY.replace(/copyright: .*\n.*\n.*\n/, ''), { id: 'free' })).licence).toBe(
      'The library does not say under which terms it may be used.',
    );
  });

  test('what is assessed is a control beside those that it is made of, and retains its text', async () => {
    dataOf(await send(LIBRARY));
    const controls = await controlsOf('harbour-2-0');
    expect(controls.map(({ id, label, text, parent_id }) => [id, label, text, parent_id])).toEqual([
      ['B', 'Berths', null, null],
      ['B.1', 'Mooring', 'Ships are moored.\n- fore\n- aft', 'B'],
      ['B.1-2', 'Lines are checked daily.', null, 'B'],
      ['b-9', 'No number', null, 'B'],
      ['R7', 'R7', null, null],
      ['R7-plus', 'Stronger', null, null],
    ]);
  });

  test('of a long text the beginning is stored, and labels are one line of it', async () => {
    const long = 'word '.repeat(2_000);
    dataOf(await send(`${HEAD}${FRAMEWORK}${node('L', true, `, description: "${long}"`)}`));
    const [control] = await controlsOf('harbour-2-0');
    expect(dataOf(await call('read', { workflow_id: 'harbour-2-0' })).remarks).toBe(
      `Titles and texts that are shortened: 1. ${NOT_STORED}`,
    );
    expect(control).toMatchObject({ text: `${long.slice(0, 7_999).trim()}…`, label: `${long.slice(0, 119).trim()}…` });
  });

  test('a mapping of a library is between workflows that are there, read once where it has both directions', async () => {
    dataOf(await send(LIBRARY));
    const ends: [string, string] = [NODE, ISO_NODE];
    const there = set(
      pair('b.1', 'a.8.13', 'subset', ends) +
        pair('b.1', 'a.8.14', 'equal', ends).replace(' }', ', rationale: Both are backups. }') +
        pair('r7', 'a.5.1', 'not_related', ends),
    );
    const back = set(
      pair('a.8.13', 'b.1', 'superset', [ISO_NODE, NODE]) + pair('a.5.2', 'r7+', 'equal', [ISO_NODE, NODE]),
      ['x:risk:framework:iso27001-2022', 'acme:risk:framework:harbour-2.0'],
    );
    const mapping = `${MAPPING_HEAD}${there}${back}`;
    expect(dataOf(await send(mapping, { mode: 'MAPPING' }))).toMatchObject({
      ...{ id: 'harbour-to-iso', mode: 'MAPPING', name: 'harbour-2-0 to iso-27001-2022', controls: 2 },
      licence: '© Harbour Office.\nMay be copied with this notice.',
      remarks: [
        'Relationships of the library, each read as one of the same subject: subset 1, equal 1.',
        'Pairs that are not related are left out: 1.',
        'Not stored: convert_library_version, dependencies, rationale, translations.',
      ].join(' '),
    });
    const [stored] = await gateway.app.database.rows<{ pairs: object }>(
      `select content -> 'pairs' as pairs from workflow_import where mode = 'MAPPING'`,
    );
    expect(stored?.pairs).toEqual([
      { control: 'B.1', matches: ['A.8.13', 'A.8.14'] },
      { control: 'R7-plus', matches: ['A.5.2'] },
    ]);
    const elsewhere = { mode: 'MAPPING', id: 'm', from: 'harbour-2-0', to: 'iso-27001-2022' };
    expect(dataOf(await send(mapping.replaceAll('framework:harbour-2.0', 'framework:other'), elsewhere))).toMatchObject(
      {
        id: 'm',
      },
    );
  });

  test('a mapping names the place of what is not there', async () => {
    const SETS = 'objects.requirement_mapping_sets';
    const own = set(pair('b.1', 'a.8.13', 'intersect', [NODE, ISO_NODE]));
    const line = MAPPING_HEAD.split('\n').length;
    await refused(
      `${MAPPING_HEAD}${own}`,
      [
        `${SETS}[0].source_framework_urn (line ${line + 1}): is of no workflow that is there: import its framework first, or name a workflow in from`,
      ],
      { mode: 'MAPPING' },
    );
    const other = set(pair('21.2.a', 'a.5.1'), ['y:risk:framework:nis2-directive', 'x:risk:framework:iso27001-2022']);
    const wrong = set(pair('b.1', 'a.5.1') + pair('21.2.a', 'a.99') + pair('21.2.a', 'a.5.1', 'alike'), [
      'y:risk:framework:nis2-directive',
      'x:risk:framework:iso27001-2022',
    ]);
    await refused(
      `${MAPPING_HEAD}${wrong}`,
      [
        `${SETS}[0].requirement_mappings[0].source_requirement_urn (line ${line + 4}): is no control of nis2-directive`,
        `${SETS}[0].requirement_mappings[1].target_requirement_urn (line ${line + 5}): is no control of iso-27001-2022`,
        `${SETS}[0].requirement_mappings[2].relationship (line ${line + 6}): must be one of equal, subset, superset, intersect, not_related`,
      ],
      { mode: 'MAPPING' },
    );
    await refused(
      `${MAPPING_HEAD}${other}${own}`,
      [`${SETS}[1] (line ${line + 5}): is of other frameworks than the first: send one at a time`],
      { mode: 'MAPPING' },
    );
    await refused(`${MAPPING_HEAD}${other}`, ['from: is no workflow of the catalogue'], {
      mode: 'MAPPING',
      from: 'none',
    });
    await refused(LIBRARY, [`objects (line 18): has no requirement_mapping_sets`], {
      mode: 'MAPPING',
    });
    await refused(`${MAPPING_HEAD}${other}`, [`objects (line 18): has no framework: import it as a MAPPING`]);
  });

  const FIRST = HEAD.split('\n').length + FRAMEWORK.split('\n').length - 1;
  const place = (index: number, field: string) =>
    `objects.framework.requirement_nodes[${index}].${field} (line ${FIRST + index})`;
  test.each<[string, string, string[]]>([
    [
      'a node above itself',
      node('A', true, below('A')),
      [`${place(0, 'parent_urn')}: no node before this one has this urn`],
    ],
    [
      'a cycle of parents',
      node('A', true, below('B')) + node('B', true, below('A')),
      [0, 1].map((index) => `${place(index, 'parent_urn')}: no node before this one has this urn`),
    ],
    [
      'a node that may be assessed',
      node('A', true).replace('assessable: true', 'assessable: perhaps'),
      [`${place(0, 'assessable')}: must be true or false`],
    ],
    ['an address twice', node('A', true) + node('a', true), [`${place(1, 'urn')}: is there twice`]],
    [
      'a number twice',
      node('A', true) + `    - { urn: "${NODE}:b", assessable: true, ref_id: A }\n`,
      [`${place(1, 'ref_id')}: is there twice`],
    ],
    [
      'nothing to assess',
      node('A', false),
      ['objects.framework.requirement_nodes (line 26): must NOT have fewer than 1 items'],
    ],
    ['a node that is a text', '    - A\n', [`${place(0, 'urn')}: must be a text`]],
    ['nodes that are no list', '      a: b\n', ['objects.framework.requirement_nodes (line 26): must be a list']],
    ['an alias', `    - &a { urn: "${NODE}:a", assessable: true }\n    - *a\n`, ['workflow: must not use aliases']],
    ['a tag', '    - !!js/function "x"\n', [`file (line ${FIRST}): has a tag, and tags are not understood here`]],
    ['brackets without end', `    - ${'['.repeat(50_000)}\n`, ['workflow: is nested too deep']],
    [
      'more than 2,000 controls',
      Array.from({ length: 2_001 }, (_, n) => node(`c${n}`, true)).join(''),
      [`objects.framework.requirement_nodes (line 26): must NOT have more than 2000 items`],
    ],
    [
      'more than 8,000 nodes',
      '    - {}\n'.repeat(8_001),
      ['objects.framework.requirement_nodes (line 26): must NOT have more than 8000 items'],
    ],
    [
      'more pieces than are read',
      `${'    - {}\n'.repeat(40_000)}`,
      ['workflow: has more structure than a workflow of 2,000 controls'],
    ],
  ])('%s is refused with its place', async (_title, nodes, messages) => {
    await refused(
      `${HEAD}${FRAMEWORK}${nodes}`,
      messages.map((message) => message.replace(/^file \(/, 'workflow (')),
    );
  });

  test('aliases that would grow without bound are refused before they are followed', async () => {
    const bomb = [
      'a: &a [x, x]',
      ...'bcdefghij'.split('').map((name, n) => `${name}: &${name} [*${'abcdefghij'[n]}, *${'abcdefghij'[n]}]`),
    ];
    await refused(`${bomb.join('\n')}\n${LIBRARY}`, ['workflow: must not use aliases']);
  });

  test('it may have 5 MB, of which 1 MB is stored', async () => {
    const padded = (text: string, bytes: number) => `${text}# ${'x'.repeat(bytes - Buffer.byteLength(text) - 2)}`;
    const MB = 1024 * 1024;
    if (api === 'GraphQL') expect((await send(padded(LIBRARY, 5 * MB + 1))).code).toBe('FILE_TOO_LARGE');
    // A body of REST has 5 MB at most, including the part around the text.
    dataOf(await send(padded(LIBRARY, (api === 'GraphQL' ? 5 : 4) * MB)));
    await gateway.app.database.rows('delete from workflow_import');
    const texts = Array.from({ length: 140 }, (_, n) => node(`t${n}`, true, `, description: "${'y'.repeat(7_900)}"`));
    await refused(`${HEAD}${FRAMEWORK}${texts.join('')}`, ['workflow: has more than 1 MB of labels and texts']);
  });

  test('its terms are stored whole, up to 4,000 characters', async () => {
    const of = (length: number) => LIBRARY.replace(/copyright: .*\n.*\n.*\n/, `copyright: ${'c'.repeat(length)}\n`);
    await refused(of(4_001), ['copyright (line 7): must NOT have more than 4000 characters']);
    expect(dataOf(await send(of(4_000))).licence).toBe('c'.repeat(4_000));
  });

  test('as JSON it is read alike, and a new edition with another text is a change', async () => {
    const nodes = [{ urn: `${NODE}:a`, assessable: true, ref_id: 'A', name: 'Anchor', description: 'Heavy.' }];
    const library = {
      urn: `${MAKER}:library:h`,
      name: 'H',
      version: 1,
      provider: 'P',
      objects: { framework: { urn: `${MAKER}:framework:h`, requirement_nodes: nodes } },
    };
    const text = (description: string) =>
      JSON.stringify({
        ...library,
        objects: { framework: { ...library.objects.framework, requirement_nodes: [{ ...nodes[0], description }] } },
      });
    dataOf(await send(text('Heavy.')));
    const preview = await gateway.rest.post(
      `/api/v1/v-ciso/organizations/${testData.organizationId}/workflow-import-previews`,
      { token: testData.manager.token, body: { text: text('Very heavy.') } },
    );
    expectStatus(preview, 200);
    expect(preview.body.data.changed).toMatchObject([
      { id: 'A', before: { text: 'Heavy.' }, after: { text: 'Very heavy.' } },
    ]);
  });

  test('an object in the place of a text is no text, and no error of the gateway', async () => {
    const odd = { toString: 1 };
    const nodes = [{ urn: `${NODE}:a`, parent_urn: odd, assessable: true, ref_id: 'A', name: 'Anchor' }];
    const framework = { urn: odd, requirement_nodes: nodes };
    const library = { urn: `${MAKER}:library:h`, name: 'H', version: odd, provider: 'P', objects: { framework } };
    await refused(JSON.stringify(library), [
      'objects.framework.requirement_nodes[0].parent_urn: no node before this one has this urn',
      'version: must be a text',
    ]);
  });
});

test('only those who manage workflows import a library', async () => {
  const path = `/api/v1/v-ciso/organizations/${testData.organizationId}/available-workflows`;
  const body = { text: LIBRARY };
  expectStatus(await gateway.rest.post(path, { body }), 401);
  expectStatus(await gateway.rest.post(path, { token: testData.analyst.token, body }), 403);
  expectStatus(await gateway.rest.post(path, { token: testData.nonMember.token, body }), 404);
});
