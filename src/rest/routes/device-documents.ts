import { operation } from '../documents.js';
import type { DeviceNoun } from './devices.js';

export type DeviceDocuments = ReturnType<typeof deviceDocuments>;

/** The operations behind the routes of one kind. */
export function deviceDocuments({ type, one, many, series }: DeviceNoun) {
  const record = (field: string) => `${field} { ...${type} }`;
  const changeById = (verb: string) =>
    operation(`mutation ($id: Int!) { ${verb}${type}(input: { id: $id }) { ${record(`data: ${one}`)} } }`);
  const change = (verb: string) =>
    operation(
      `mutation ($input: ${capital(verb)}${type}Input!) { ${verb}${type}(input: $input) { ${record(`data: ${one}`)} } }`,
    );
  return {
    list: operation(/* GraphQL */ `
      query ($limit: Int, $offset: Int, $sort: DeviceOrder, $organization_id: Int, $search: String, $status: Int, $deleted: Boolean) {
        ${many}(
          organizationId: $organization_id
          first: $limit
          offset: $offset
          orderBy: $sort
          filter: { search: $search, status: $status, deleted: $deleted }
        ) {
          ${record('data: nodes')}
          total: totalCount
        }
      }
    `),
    read: operation(`query ($id: Int!) { ${record(`data: ${one}(id: $id)`)} }`),
    create: change('create'),
    update: change('update'),
    delete: changeById('delete'),
    restore: changeById('restore'),
    series: operation(/* GraphQL */ `
      query ($id: Int!, $from: DateTime, $to: DateTime, $bucket: SeriesSize) {
        ${one}(id: $id) { check { data: series(from: $from, to: $to, bucket: $bucket) { ...${series} } } }
      }
    `),
    report: operation(
      `mutation ($input: Report${type}CheckInput!) { report${type}Check(input: $input) { data: receipt { ...DeviceReceipt } } }`,
    ),
  };
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}
