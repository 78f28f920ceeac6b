import type { GraphQLSchema } from 'graphql';
import { inputCheck } from '../../graphql/row-input.js';
import type { RowChecks } from '../../services/imports/import-worker.js';

/** How rows of tables and archives are checked: as the inputs of the single changes are. */
export function rowChecks(schema: GraphQLSchema): RowChecks {
  const upload = inputCheck(schema, 'UploadDocumentVersionInput', ['organizationId', 'workflowId']);
  const update = inputCheck(schema, 'UpdateDocumentVersionInput', ['organizationId', 'documentVersionId']);
  return {
    MEMBERS: inputCheck(schema, 'UpdateMemberInput', ['organizationId', 'userId', 'version']),
    CONTROLS: inputCheck(schema, 'ControlChangeInput'),
    DOCUMENTS({ note, ...sent }) {
      const [uploaded, said] = [upload(sent), update(note === undefined ? {} : { note })];
      return { fields: { ...uploaded.fields, ...said.fields }, errors: [...uploaded.errors, ...said.errors] };
    },
  };
}
