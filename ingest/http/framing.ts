import { type Refusal, refusal } from '../refusal.ts'
import type { RequestHead } from './head.ts'

/**
 * Refuses a request of which two readers could see two different ends. uWebSockets.js takes the first of several lengths and any transfer
 * encoding for `chunked`; a proxy in front may see it otherwise, and what one takes for a body the other takes for the next request.
 */
export const checkFraming = ({ headers }: Pick<RequestHead, 'headers'>): Refusal | null => {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  const isClear =
    (length === undefined || /^\d+$/.test(length)) && (encoding === undefined || /^chunked$/i.test(encoding))
  if (isClear) return null
  const detail = 'Send one Content-Length header with one number, or "Transfer-Encoding: chunked", and nothing else.'
  return refusal(400, 'unclear_length', detail, { closes: true })
}
