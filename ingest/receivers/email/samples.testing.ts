import { readFileSync } from 'node:fs'

/** A mail exactly as a mail program wrote it, byte for byte; `samples/` has them. */
export const sample = (name: string): Buffer => readFileSync(new URL(`./samples/${name}.eml`, import.meta.url))
