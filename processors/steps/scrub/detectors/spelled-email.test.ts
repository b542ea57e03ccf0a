import { spelledEmail } from './spelled-email.ts'
import { testDetector } from './testing.ts'

testDetector(spelledEmail, [
  'write to «support at example dot org», please',
  '«first dot last at mail dot example dot com»',
  '«info chiocciola example punto it» and «ayuda arroba example punto com» and «pomoc małpa example kropka pl»',
  'look at example dot notation, meet at acme dot com, mail us at acme dot com',
  'at example dot org, a at , mail x at y',
])
