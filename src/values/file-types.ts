/** A kind of uploadable file. */
export interface FileKind<Name = FileKindName> {
  name: Name;
  /** Media types that may be declared for it; the first is stored and returned. */
  mediaTypes: readonly [string, ...string[]];
  /** In lower case, without the dot. */
  extensions: readonly string[];
  /** A text has no signature: only its name and declared type identify the kind. */
  isText?: true;
}

const ooxml = (name: string) => `application/vnd.openxmlformats-officedocument.${name}` as const;
const odf = (name: string) => `application/vnd.oasis.opendocument.${name}` as const;

/**
 * All kinds. Of several kinds with a shared media type (`text/plain`), the one that owns it comes first. Aliases are
 * those of common clients: Windows declares a CSV as `application/vnd.ms-excel`.
 */
const KINDS = [
  { name: 'PDF', mediaTypes: ['application/pdf', 'application/x-pdf'], extensions: ['pdf'] },
  { name: 'DOCX', mediaTypes: [ooxml('wordprocessingml.document')], extensions: ['docx'] },
  { name: 'XLSX', mediaTypes: [ooxml('spreadsheetml.sheet')], extensions: ['xlsx'] },
  { name: 'PPTX', mediaTypes: [ooxml('presentationml.presentation')], extensions: ['pptx'] },
  { name: 'ODT', mediaTypes: [odf('text')], extensions: ['odt'] },
  { name: 'ODS', mediaTypes: [odf('spreadsheet')], extensions: ['ods'] },
  { name: 'ODP', mediaTypes: [odf('presentation')], extensions: ['odp'] },
  {
    name: 'RTF',
    // Windows declares the type of the program that opens it.
    mediaTypes: ['application/rtf', 'text/rtf', 'application/x-rtf', 'text/richtext', 'application/msword'],
    extensions: ['rtf'],
  },
  // Linux declares logs with their own type.
  { name: 'TXT', mediaTypes: ['text/plain', 'text/x-log'], extensions: ['txt', 'text', 'log'], isText: true },
  {
    name: 'CSV',
    mediaTypes: ['text/csv', 'application/csv', 'text/x-csv', 'application/vnd.ms-excel', 'text/plain'],
    extensions: ['csv'],
    isText: true,
  },
  {
    name: 'MARKDOWN',
    mediaTypes: ['text/markdown', 'text/x-markdown', 'text/plain'],
    extensions: ['md', 'markdown'],
    isText: true,
  },
  { name: 'JSON', mediaTypes: ['application/json', 'text/json', 'text/plain'], extensions: ['json'], isText: true },
  { name: 'XML', mediaTypes: ['application/xml', 'text/xml', 'text/plain'], extensions: ['xml'], isText: true },
  { name: 'PNG', mediaTypes: ['image/png', 'image/x-png'], extensions: ['png'] },
  { name: 'JPEG', mediaTypes: ['image/jpeg', 'image/jpg', 'image/pjpeg'], extensions: ['jpg', 'jpeg', 'jpe', 'jfif'] },
  { name: 'WEBP', mediaTypes: ['image/webp'], extensions: ['webp'] },
  { name: 'GIF', mediaTypes: ['image/gif'], extensions: ['gif'] },
  { name: 'TIFF', mediaTypes: ['image/tiff', 'image/x-tiff'], extensions: ['tif', 'tiff'] },
  {
    name: 'HEIC',
    mediaTypes: ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
    extensions: ['heic', 'heif', 'hif'],
  },
  { name: 'EML', mediaTypes: ['message/rfc822', 'text/plain'], extensions: ['eml'], isText: true },
  { name: 'MSG', mediaTypes: ['application/vnd.ms-outlook', 'application/x-msg'], extensions: ['msg'] },
  {
    name: 'ZIP',
    mediaTypes: ['application/zip', 'application/x-zip-compressed', 'application/x-zip'],
    extensions: ['zip'],
  },
  { name: 'DOC', mediaTypes: ['application/msword', 'application/x-msword'], extensions: ['doc'] },
  { name: 'XLS', mediaTypes: ['application/vnd.ms-excel', 'application/msexcel'], extensions: ['xls'] },
  { name: 'PPT', mediaTypes: ['application/vnd.ms-powerpoint', 'application/mspowerpoint'], extensions: ['ppt'] },
  { name: 'P7M', mediaTypes: ['application/pkcs7-mime', 'application/x-pkcs7-mime'], extensions: ['p7m'] },
  { name: 'ASICE', mediaTypes: ['application/vnd.etsi.asic-e+zip'], extensions: ['asice', 'sce'] },
] as const satisfies readonly FileKind<string>[];

export type FileKindName = (typeof KINDS)[number]['name'];

export const fileKinds: readonly FileKind[] = KINDS;

/** Extensions in a refusal: `pdf`, `docx`, … */
export function allowedExtensions(kinds: readonly FileKind[] = fileKinds): string[] {
  return kinds.flatMap(({ extensions }) => extensions);
}
