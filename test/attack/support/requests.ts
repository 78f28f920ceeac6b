import type { DemoFacts } from '../../../src/demo/demo.js';
import { multipart, type GraphQLRequest, type Sent } from './http.js';

const UPLOAD =
  'mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { created documentVersion { id: databaseId sha256 } } }';
const TEXT = { filename: 'notes.txt', contentType: 'text/plain' };

type Place = Pick<DemoFacts, 'organization_id' | 'workflow_id'>;

export function versionsPath({ organization_id, workflow_id }: Place, artifact: string): string {
  return `/api/v1/v-ciso/organizations/${organization_id}/workflows/${workflow_id}/documents/${artifact}/versions`;
}

/** An upload of a text with its bytes as base64 in a GraphQL variable. */
export function uploadMutation(place: Place, artifactId: string, bytes: Buffer): Omit<GraphQLRequest, 'token'> {
  const { organization_id: organizationId, workflow_id: workflowId } = place;
  const input = { organizationId, workflowId, artifactId, ...TEXT, content: bytes.toString('base64') };
  return { query: UPLOAD, variables: { input } };
}

/** The same upload in each form that the gateway takes. */
export function uploadForms(place: Place, artifact: string, token: string): ((bytes: Buffer) => Sent)[] {
  const path = versionsPath(place, artifact);
  const fields = { filename: TEXT.filename, content_type: TEXT.contentType };
  const { organization_id: organizationId, workflow_id: workflowId } = place;
  const input = { organizationId, workflowId, artifactId: artifact, ...TEXT, file: null };
  const file = (bytes: Buffer) => ({ name: TEXT.filename, type: TEXT.contentType, bytes });
  const post = { method: 'POST', token };
  return [
    (bytes) => ({ ...post, path, body: { ...fields, content: bytes.toString('base64') } }),
    (bytes) => ({
      ...post,
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...fields, content: bytes.toString('base64') }).toString(),
    }),
    (bytes) => ({ ...post, path, ...multipart({ file: file(bytes) }) }),
    (bytes) => ({ ...post, path: '/graphql', body: uploadMutation(place, artifact, bytes) }),
    (bytes) => {
      const operations = JSON.stringify({ query: UPLOAD, variables: { input } });
      const parts = multipart({ operations, map: '{"file":["variables.input.file"]}', file: file(bytes) });
      return {
        ...post,
        path: '/graphql',
        headers: { ...parts.headers, 'apollo-require-preflight': '1' },
        body: parts.body,
      };
    },
  ];
}

/** The id of the version in the response to an upload, through either API; undefined if it was refused. */
export function versionIn(text: string): number | undefined {
  const answer = JSON.parse(text) as {
    data?: { id?: number; uploadDocumentVersion?: { documentVersion: { id: number } } } | null;
  };
  return answer.data?.id ?? answer.data?.uploadDocumentVersion?.documentVersion.id;
}
