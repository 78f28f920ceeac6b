import { S3Client } from '@aws-sdk/client-s3';
import type { S3Location } from './storage-location.js';

const CONNECT_MS = 3_000;
/** Who waits for a socket looks to the client like one that cannot connect, so that there is one for everybody. */
const AGENT = { maxSockets: Infinity };

/** A client that gives up when there was no byte in either direction for `silence` milliseconds; never when it is 0. */
export function s3Client(location: S3Location, silence: number): S3Client {
  return new S3Client({
    endpoint: location.endpoint,
    region: location.region,
    forcePathStyle: location.pathStyle,
    credentials: location.credentials,
    // Otherwise a streamed body is sent in aws-chunked frames, which many S3-compatible services store as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    // Without one the SDK writes to the console; what went wrong is the `cause` of our error.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    requestHandler: { connectionTimeout: CONNECT_MS, httpAgent: AGENT, httpsAgent: AGENT, socketTimeout: silence },
  });
}

function ignore(): void {
  // Nobody reads it.
}
