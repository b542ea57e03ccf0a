import type { Input } from '../../api/client.ts'

/** Whom to look for, as it was written. */
export type Asked = Input<'preview_erasure'>['person']
