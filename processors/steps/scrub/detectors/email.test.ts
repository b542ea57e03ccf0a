import { email, spelledEmail } from './email.ts'
import { testDetector } from './testing.ts'

testDetector(email, [
  'write to «sender@example.com».',
  'two: «a.b+tag@mail.example.co.uk», «x_y@example.org»;',
  '<«sender@example.com»> (mailto:«sender@example.com»)',
  "«o'sender@example.com» and 'quoted' '«sender@example.com»'",
  '«"a sender"@example.com» wrote',
  'https://«sender@example.com»/path',
  'unicode «отправитель@пример.рф» and «sender@bücher.example» and «sender@xn--bcher-kva.example»',
  '**«sender@example.com»** `«sender@example.com»`',
  'no mail: @sender, sender@localhost, a @ b, user@, @example.com',
  '我的邮箱是«support@example.com»、メールは«support@example.com»です，写给 «支持@例子.公司»',
  'files: «invoice-sender@example.com».pdf, «sender@mail.example.org».png, not icon@2x.min.js or library@4.17.min.js',
  'a picture logo@2x.png, a service getty@tty1.service, a label this@Activity.finish',
  'a package: left-pad@1.3.0 and @scope/name@2.0.0',
  'a repository: git@example.com:octo-org/octo-repo.git',
])

testDetector(spelledEmail, [
  'write to «support at example dot org», please',
  '«first dot last at mail dot example dot com»',
  '«info chiocciola example punto it» and «ayuda arroba example punto com» and «pomoc małpa example kropka pl»',
  'look at example dot notation, meet at acme dot com, mail us at acme dot com',
  'at example dot org, a at , mail x at y',
])
