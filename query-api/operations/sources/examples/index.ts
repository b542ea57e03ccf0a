import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { DESCRIPTIONS } from '../../../../model/sources/kinds/index.ts'
import { exampleRequest, type PostedSource } from '../../../../model/sources/proof.ts'
import type { ConnectionSettings } from '../../../../schemas/http/connection.ts'
import { curl, PROGRAMS } from './programs.ts'

const program = (description: string) => Type.Optional(Type.String({ description }))

/** Ready to run as they are: each sends a request that the source takes. */
export const Examples = Type.Object({
  curl: program('A command for a POSIX shell. Where a signature is needed, it is of this very body.'),
  openssl: program('The same for a shell, which signs whatever body is put into it.'),
  node: program('An ES module for Node.js.'),
  python: program('Python 3, with nothing but its standard library.'),
})
export type Examples = Static<typeof Examples>

const TEXT = 'The CSV export fails with an error after 100 rows.'

interface ExamplesOf {
  readonly url: string
  readonly secret: string
  readonly settings: ConnectionSettings
  readonly at: Date
}

/** Programs that send to a source; they hold its secret. */
export const examplesOf = (source: PostedSource, { url, secret, settings, at }: ExamplesOf): Examples => {
  const { contentTypes, proof } = DESCRIPTIONS[source.kind].intake
  const request = exampleRequest(source, { settings, secret, text: TEXT, id: randomUUID(), at })
  const example = { ...request, url, secret, isJson: contentTypes[0] === 'application/json' }
  const written = Object.entries(PROGRAMS[proof.scheme]).map(([name, write]) => [name, write(example)])
  return { curl: curl(example), ...Object.fromEntries(written) }
}
