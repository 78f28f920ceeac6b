import type { ServerResponse } from 'node:http';
import { badUserInput } from '../../errors.js';
import { toSnakeCase } from '../../common/naming.js';
import type { GraphQLContext } from '../../http/context.js';
import { typeOfPart } from '../../schema/shared/node.js';
import type { AsOfRequest } from '../../services/as-of/as-of.service.js';
import { AS_OF, type OperationRoute } from '../route.js';

const ONE_ORGANIZATION = 'as_of requires organization_id';

type Values = Readonly<Record<string, unknown>>;

/** The past instant and organization of a request, and the other parameters; undefined for one about the present. */
export async function asOfRequestIn(
  route: OperationRoute,
  { [AS_OF]: instant, ...parameters }: Values,
  { services }: GraphQLContext,
): Promise<{ asOf: AsOfRequest; parameters: Values } | undefined> {
  if (route.past !== true || instant === undefined) return undefined;
  const { organizationid = parameters['organization_id'], id } = parameters as Record<string, number>;
  if (route.acrossOrganizations === true && organizationid === undefined) throw badUserInput([ONE_ORGANIZATION]);
  const part = route.arguments?.['id'];
  const organizationId =
    organizationid ?? (part === undefined ? id : await services.organizationLookup.of(typeOfPart(part), id as number));
  return { asOf: { organizationId: organizationId as number, at: new Date(instant as string) }, parameters };
}

/** Names of the headers that describe the source of an answer about the past. */
export const AS_OF_HEADERS = ['As-Of-Position', 'As-Of-Hash', 'As-Of-Checkpoint', 'As-Of-Not-Recorded'] as const;

/** Sets the headers that describe the source of an answer about the past. */
export async function showAsOf(
  response: ServerResponse,
  asOf: AsOfRequest,
  { services }: GraphQLContext,
): Promise<void> {
  const { position, hash, checkpoint, notRecorded } = await services.asOf.of(asOf);
  response.setHeader('As-Of-Position', position);
  response.setHeader('As-Of-Hash', hash);
  if (checkpoint !== null) response.setHeader('As-Of-Checkpoint', checkpoint.position);
  response.setHeader('As-Of-Not-Recorded', notRecorded.map(toSnakeCase).join(', '));
}
