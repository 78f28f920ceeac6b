import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, parse, print, validate, type GraphQLSchema } from 'graphql';
import { createSchema } from '../../src/resolvers/index.js';
import { GraphQLExecutor } from '../../src/graphql/executor.js';
import { isOperationRoute, parameterNames, variableOf, type OperationRoute, type View } from '../../src/rest/route.js';
import { ROUTES, VIEWS } from '../../src/rest/routes.js';
import { createSofa, type Sofa } from '../../src/rest/view/sofa.js';
import { shownValues, toCoreDocument } from '../../src/rest/view/translate.js';
import { compileRoutes } from '../../src/rest/view/core-path.js';
import { createRestView } from '../../src/rest/view/view.js';

const OPERATION_ROUTES = ROUTES.filter(isOperationRoute);

describe('the operations that SOFA generates', () => {
  let core: GraphQLSchema;
  let sofa: Sofa;

  beforeAll(async () => {
    core = await createSchema();
    sofa = await createSofa(new GraphQLExecutor(core), compileRoutes(core, ROUTES));
  });

  test.each(OPERATION_ROUTES.map((route) => [route.operationId, route] as const))(
    'the operation of %s is valid for the core schema, and its variables are the parameters or the input',
    (_name, route) => {
      const { document } = sofa.operation(route);
      expect(validate(core, document).map(({ message }) => message)).toEqual([]);
      const [operation] = document.definitions;
      const variables = operation?.kind === 'OperationDefinition' ? (operation.variableDefinitions ?? []) : [];
      const names = variables.map(({ variable }) => variable.name.value);
      const parameters = parameterNames(route).map(variableOf).toSorted();
      expect([['input'], parameters]).toContainEqual(names.toSorted());
    },
  );

  test('every view is used by a route, or by another view', () => {
    const schema = createRestView(core, compileRoutes(core, ROUTES).filter(isOperationRoute), VIEWS);
    expect(Object.keys(VIEWS).filter((name) => schema.getType(name) === undefined)).toEqual([]);
  });
});

/** A minimal schema and route; each test breaks one thing. */
const CORE = `
  scalar JSONObject
  type Query { incident(id: Int!): Incident!  incidents(first: Int, offset: Int, filter: IncidentFilter): IncidentPage! }
  type IncidentPage { nodes: [Incident!]!  totalCount: Int! }
  type Incident { id: Int!  awareAt: String  extra: JSONObject!  version: Int!  openedBy: User }
  type User { firstName: String! }
  input IncidentFilter { openOnly: Boolean }
  type Mutation { closeIncident(input: CloseIncidentInput!): CloseIncidentPayload! }
  input CloseIncidentInput { incidentId: Int! }
  type CloseIncidentPayload { incident: Incident!  created: Boolean! }`;

const INCIDENT: Record<string, View> = {
  Incident: ['id awareAt extra', { openedBy: 'Person' }],
  Person: { of: 'User', fields: ['firstName'] },
};

function routeOf(parts: Partial<OperationRoute>): OperationRoute {
  const texts = { path: '/{id}', tag: '', description: '', etag: 'none' } as const;
  const route = { ...texts, method: 'GET', operationId: 'it', data: 'incident', view: 'Incident' } as const;
  return { ...route, errors: [], ...parts };
}

const compiled = (schema: GraphQLSchema, routes: readonly OperationRoute[]) =>
  compileRoutes(schema, routes).filter(isOperationRoute);

function operationOf(parts: Partial<OperationRoute>, { core = CORE, views = INCIDENT } = {}): string {
  const schema = buildSchema(core);
  const [other, route] = compiled(schema, [routeOf({ operationId: 'other' }), routeOf(parts)]);
  const view = createRestView(schema, [other!, route!], views);
  const data = 'data { id aware_at extra opened_by { first_name } }';
  const root = view.getQueryType()?.getFields()['it'] ? 'query' : 'mutation';
  return print(toCoreDocument(view, route!, parse(`${root} { it { error messages ${data} } }`)));
}

const shown = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const DATA = 'id aware_at: awareAt extra opened_by: openedBy { first_name: firstName }';

describe('an operation on the REST view', () => {
  test('becomes an operation on the core schema whose aliases are the names of REST', () => {
    expect(shown(operationOf({}))).toBe(`query it($id: Int!) { data: incident(id: $id) { ${DATA} } }`);
  });

  test('shows one value of an object under the name of the field that has the object', () => {
    const views = { Incident: ['id', 'openedBy.firstName'] };
    const schema = buildSchema(CORE);
    const [route] = compiled(schema, [routeOf({})]);
    const view = createRestView(schema, [route!], views);
    const generated = parse('{ it { error messages data { id opened_by } } }');
    expect(shown(print(toCoreDocument(view, route!, generated)))).toContain('{ id opened_by: openedBy { firstName } }');
    expect(shownValues(view, generated)).toEqual([{ path: ['opened_by'], value: 'firstName' }]);
  });

  test('selects the total of a list, and fills arguments and filter fields from parameters', () => {
    const list = { path: '/', data: 'incidents.nodes', parameters: 'open_only' };
    expect(shown(operationOf(list))).toBe(
      `query it($limit: Int, $offset: Int, $open_only: Boolean) { incidents(first: $limit, offset: $offset, filter: {openOnly: $open_only}) { data: nodes { ${DATA} } total: totalCount } }`,
    );
  });

  test('takes one input for a mutation, and selects the version and what distinguishes 201 from 200', () => {
    const route = {
      method: 'POST',
      data: 'closeIncident.incident',
      path: '/{incidentid}',
      etag: 'version',
      createdWhen: 'created',
    } as const;
    expect(shown(operationOf(route))).toBe(
      `mutation it($input: CloseIncidentInput!) { closeIncident(input: $input) { data: incident { ${DATA} etag: version } created } }`,
    );
  });
});

describe('the REST view fails at start, with the place,', () => {
  const views = (incident: View) => ({ ...INCIDENT, Incident: incident });

  test.each<[string, () => unknown, string]>([
    [
      'when a view shows a field that the core lacks',
      () => operationOf({}, { views: views(['id severity']) }),
      'The REST view "Incident" shows Incident.severity, which the schema lacks',
    ],
    [
      'when a view shows an object as a value',
      () => operationOf({}, { views: views(['openedBy']) }),
      'The REST view "Incident" shows Incident.openedBy as a value, which it is not',
    ],
    [
      'when a view shows a value that an object lacks',
      () => operationOf({}, { views: views(['openedBy.name']) }),
      'The REST view "Incident" shows Incident.openedBy.name, which the schema lacks',
    ],
    [
      'when a view shows a value as an object',
      () => operationOf({}, { views: views([{ awareAt: 'Person' }]) }),
      'The REST view "Incident" shows Incident.awareAt as an object, which it is not',
    ],
    [
      'when a view is used for another type',
      () => operationOf({}, { views: views([{ openedBy: 'Incident' }]) }),
      'The REST view "Incident" shows Incident, and is used for User',
    ],
    [
      'when a route names a view that is not there',
      () => operationOf({ view: 'Incidents' }),
      'There is no REST view "Incidents"',
    ],
    [
      'when a route answers what the core lacks',
      () => operationOf({ data: 'incident.clock' }),
      'The route it: the schema has no field Incident.clock',
    ],
    [
      'when a parameter fills nothing',
      () => operationOf({ parameters: 'limit' }),
      'The route it: 0 arguments of incident are called limit',
    ],
    [
      'when a parameter of a mutation fills nothing',
      () => operationOf({ method: 'POST', data: 'closeIncident.incident' }),
      'The route it: CloseIncidentInput has no field for id',
    ],
    [
      'when nothing fills what the core requires',
      () => operationOf({ path: '/' }),
      'The route it: no parameter fills incident(id:)',
    ],
  ])('%s', (_when, start, message) => {
    expect(start).toThrow(message);
  });
});
