import { writeFileSync } from 'node:fs'
import { contractPage } from './contract-reference.ts'
import { deployFiles } from './deploy/files.ts'
import { newVersions } from './frozen-schemas.ts'
import { monitoringFiles } from './monitoring/files.ts'
import { referencePages } from './reference.ts'
import { schemaPage } from './schema-reference.ts'
import { thirdPartyNotices } from './third-party/notices.ts'

for (const [name, text] of Object.entries(referencePages())) {
  writeFileSync(new URL(`reference/${name}`, import.meta.url), text)
}
for (const [path, text] of Object.entries({ ...monitoringFiles(), ...deployFiles(), ...newVersions() })) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text)
}
writeFileSync(new URL('reference/contract.md', import.meta.url), contractPage())
writeFileSync(new URL('reference/schema.md', import.meta.url), await schemaPage())
writeFileSync(new URL('../THIRD_PARTY_NOTICES', import.meta.url), thirdPartyNotices())
