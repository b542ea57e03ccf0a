import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { parse } from 'yaml'

/** The text of a file of this folder. */
export const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** compose.yaml, with its anchors resolved and its variables not. */
export const COMPOSE: unknown = parse(read('compose.yaml'), { merge: true })

const Service = Type.Object({
  image: Type.String(),
  command: Type.Optional(Type.Array(Type.String())),
  restart: Type.String(),
  logging: Type.Object({ options: Type.Object({ 'max-size': Type.String(), 'max-file': Type.String() }) }),
  healthcheck: Type.Object({ test: Type.Optional(Type.Array(Type.String())), disable: Type.Optional(Type.Boolean()) }),
  deploy: Type.Object({ resources: Type.Object({ limits: Type.Object({ memory: Type.String() }) }) }),
  environment: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  ports: Type.Optional(Type.Array(Type.String())),
  volumes: Type.Optional(Type.Array(Type.String())),
  networks: Type.Array(Type.String()),
  security_opt: Type.Array(Type.String()),
  cap_drop: Type.Array(Type.String()),
  cap_add: Type.Optional(Type.Array(Type.String())),
  read_only: Type.Optional(Type.Boolean()),
  privileged: Type.Optional(Type.Boolean()),
  user: Type.Optional(Type.String()),
})

/** Every service as this product wants it: an image, a restart policy, a health check, capped logs and memory, networks by name. */
export const SERVICES = new Map<string, Static<typeof Service>>(
  Object.entries(
    Value.Parse(Type.Object({ services: Type.Record(Type.String(), Service) }), structuredClone(COMPOSE)).services,
  ),
)

export type ComposeService = Static<typeof Service>

export const service = (name: string): ComposeService => {
  const found = SERVICES.get(name)
  if (found === undefined) throw new Error(`compose.yaml has no service ${name}.`)
  return found
}
