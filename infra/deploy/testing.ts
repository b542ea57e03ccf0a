import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { parse } from 'yaml'

/** The text of a file of this folder. */
export const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** compose.yaml, with its anchors resolved and its variables not. */
export const COMPOSE: unknown = parse(read('compose.yaml'), { merge: true })

const Extended = Type.Object({
  services: Type.Record(Type.String(), Type.Object({ environment: Type.Record(Type.String(), Type.String()) })),
})

/** What the programs of compose.yaml extend: every setting of each. */
const SETTINGS = Value.Parse(Extended, parse(read('compose.settings.yaml')))

const Service = Type.Object({
  image: Type.String(),
  command: Type.Optional(Type.Array(Type.String())),
  restart: Type.String(),
  extends: Type.Optional(Type.Object({ file: Type.Literal('compose.settings.yaml'), service: Type.String() })),
  stop_grace_period: Type.Optional(Type.String()),
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

const extended = (service: Static<typeof Service>): Static<typeof Service> => {
  if (service.extends === undefined) return service
  const { environment } = SETTINGS.services[service.extends.service] ?? {}
  return { ...service, environment: { ...environment, ...service.environment } }
}

/**
 * Every service as this product wants it: an image, a restart policy, a health check, capped logs and memory, networks
 * by name.
 */
export const SERVICES = new Map<string, Static<typeof Service>>(
  Object.entries(
    Value.Parse(Type.Object({ services: Type.Record(Type.String(), Service) }), structuredClone(COMPOSE)).services,
  ).map(([name, service]) => [name, extended(service)]),
)

export type ComposeService = Static<typeof Service>

export const service = (name: string): ComposeService => {
  const found = SERVICES.get(name)
  if (found === undefined) throw new Error(`compose.yaml has no service ${name}.`)
  return found
}
