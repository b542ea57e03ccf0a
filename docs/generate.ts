import { writeFileSync } from 'node:fs'
import { referencePages } from './reference.ts'
import { schemaPage } from './schema-reference.ts'
import { thirdPartyNotices } from './third-party/notices.ts'

for (const [name, text] of Object.entries(referencePages())) {
  writeFileSync(new URL(`reference/${name}`, import.meta.url), text)
}
writeFileSync(new URL('reference/schema.md', import.meta.url), await schemaPage())
writeFileSync(new URL('../THIRD_PARTY_NOTICES', import.meta.url), thirdPartyNotices())
