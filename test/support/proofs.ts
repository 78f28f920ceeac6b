import type { Api } from './apis.js';
import type { TestGateway } from './gateway.js';

/** A line of a proof file. */
export interface ProofLine {
  proof?: { position: number; hash: string; as_of: string; last: number; keys: { kid: string }[] };
  beginning?: { position: number; rows: Record<string, object[]> };
  position?: number;
  hash?: string;
  entry?: { action: string; at: string; changes?: object };
  checkpoint?: { position: number };
  answer?: Record<string, Record<string, unknown>[]>;
}

export const proofLines = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ProofLine);
/** Its rows, by table. */
export const proofAnswer = (text: string) => proofLines(text).find(({ answer }) => answer !== undefined)!.answer!;

/** Parameters in REST's names. */
export type ProofQuery = Readonly<Partial<Record<'as_of' | 'object', string>>>;

const ADDRESS =
  'query ($id: ID!, $asOf: DateTime, $object: String) { organization(id: $id) { proofUrl(asOf: $asOf, object: $object) } }';

/** The response of GraphQL with the address of a proof. */
export function proofAddressAnswer({ graphql }: TestGateway, id: number, query: ProofQuery, token: string) {
  const variables = { id: String(id), asOf: query.as_of, object: query.object };
  return graphql.call(ADDRESS, { token, variables });
}

/** The path and the query of the address of a proof, which needs no token. */
export async function proofAddress(gateway: TestGateway, id: number, query: ProofQuery, token: string) {
  const { body } = await proofAddressAnswer(gateway, id, query, token);
  const { pathname, search } = new URL((body.data as { organization: { proofUrl: string } }).organization.proofUrl);
  return `${pathname}${search}`;
}

/** The response of REST: with the token, or at the address from GraphQL. */
export async function proofThrough(api: Api, gateway: TestGateway, id: number, query: ProofQuery, token: string) {
  if (api === 'GraphQL') return gateway.rest.get(await proofAddress(gateway, id, query, token));
  return gateway.rest.get(`/api/v1/organizations/${id}/proof?${new URLSearchParams({ ...query })}`, { token });
}
