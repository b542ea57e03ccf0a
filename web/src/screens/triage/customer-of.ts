import { CUSTOMER_KEYS } from '../../../../schemas/domain/customer-facts.ts'

const MAX_CHARACTERS = 60

/** What came with a Signal of its customer, each fact by the name that its sender gave it. */
export const customerOf = (metadata: Readonly<Record<string, unknown>>) =>
  Object.values(CUSTOMER_KEYS).flatMap(keys => {
    const fact = keys.map(name => ({ name, said: inShort(metadata[name]) })).find(({ said }) => said !== '')
    return fact ?? []
  })

const inShort = (value: unknown): string => {
  const said = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return said.length > MAX_CHARACTERS ? `${said.slice(0, MAX_CHARACTERS)}…` : said
}
