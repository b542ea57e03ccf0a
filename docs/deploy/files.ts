import { chartSettings, composeSettings, valuesSchema } from './settings.ts'

/** What starts the programs and is made from their settings, by its path in the repository. */
export const deployFiles = (): Readonly<Record<string, string>> => ({
  'infra/deploy/chart/settings.yaml': chartSettings(),
  'infra/deploy/chart/values.schema.json': valuesSchema(),
  'infra/deploy/compose.settings.yaml': composeSettings(),
})
