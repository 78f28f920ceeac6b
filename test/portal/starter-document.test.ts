import { expect, it } from '@jest/globals';
import { Kind, parse, validate } from 'graphql';
import { STARTER_DOCUMENT } from '../../src/portal/starter-document.js';
import { NotificationLiveResolver, NotificationResolver } from '../../src/resolvers/notifications.resolver.js';

import { OrganizationResolver } from '../../src/resolvers/organizations.resolver.js';
import { ViewerResolver } from '../../src/resolvers/profile.resolver.js';
import { OrganizationWorkflowResolver, OrganizationWorkflowsResolver } from '../../src/resolvers/workflows.resolver.js';
import { createSchema } from '../../src/resolvers/index.js';

it('the document that the explorers open with is valid and needs no variables', async () => {
  // Nothing is executed here, so that the resolvers need no services.
  const none = undefined as never;
  const schema = await createSchema([
    new ViewerResolver(none, none),
    new OrganizationResolver(none, none, none),
    new OrganizationWorkflowsResolver(none),
    new OrganizationWorkflowResolver(none, none),
    new NotificationResolver(none),
    new NotificationLiveResolver(none),
  ]);
  const document = parse(STARTER_DOCUMENT);
  expect(validate(schema, document).map(String)).toEqual([]);
  for (const definition of document.definitions) {
    expect(definition).toMatchObject({ kind: Kind.OPERATION_DEFINITION, variableDefinitions: [] });
    expect(definition).not.toMatchObject({ operation: 'mutation' });
  }
});
