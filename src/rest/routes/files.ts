import { pathChoice, pathId, required, seconds, text } from '../parameters.js';
import type { Route } from '../route.js';

export const FILES_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/downloads/{kind}/{id}',
    operationId: 'downloadFile',
    source: 'specification 2.3, decisions 6',
    tag: 'Files',
    summary: 'Download a file',
    description:
      'What a `download_url` leads to. The address is signed, expires, and needs no token. Not found when it has expired or was changed.',
    carrier: 'downloads',
    parameters: [
      pathChoice('kind', ['documents', 'attachments'], 'What kind of file.'),
      pathId('id', 'Which file.'),
      required(seconds('expires', 'When the address expires, in Unix seconds.')),
      required(text('signature', 'Signature of the address.', 'k2Jx0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVtE')),
    ],
    errors: ['NOT_FOUND'],
    open: true,
  },
];
