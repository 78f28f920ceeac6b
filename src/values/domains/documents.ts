import { ORGANIZATION, allows, toAuditors, toMembers } from './domain.js';

export const DOCUMENTS = {
  privileges: {
    ...allows('VIEWER', 'read', {
      READ_DOCUMENTS: 'Read and download document versions.',
    }),
    ...allows('SECURITY_ANALYST', 'write', {
      // Specification 4.2.
      UPLOAD_DOCUMENTS: 'Upload document versions.',
    }),
    ...allows('SECURITY_OFFICER', 'write', {
      DELETE_EVIDENCE: 'Delete document versions and files of incidents that others have uploaded.',
    }),
  },
  subjects: {
    DOCUMENT_VERSION: { text: 'A document version; its number.', path: `v-ciso/${ORGANIZATION}/documents/{id}` },
  },
  actions: {
    DOCUMENT_UPLOADED: toMembers('document.uploaded', 'A document version was uploaded.'),
    DOCUMENT_UPDATED: toMembers('document.updated', 'The note or a date of a document version was changed.'),
    DOCUMENT_DELETED: toMembers('document.deleted', 'A document version was deleted.'),
    DOCUMENT_TRIMMED: toMembers(
      'document.trimmed',
      'A document version was removed because newer ones had taken its place.',
    ),
    DOCUMENT_DOWNLOADED: toAuditors('document.downloaded', 'A document version was downloaded by its signed address.'),
    EVIDENCE_PACK_DOWNLOADED: toAuditors(
      'workflow.evidence_pack_downloaded',
      'The evidence of a workflow was downloaded as an archive.',
    ),
  },
} as const;
