import { twoFactor } from 'better-auth/plugins/two-factor'

/**
 * A second factor beside the password: six digits of an authenticator app, or one of ten codes that were kept for when
 * it is lost.
 */
export const twoFactorPlugin = twoFactor({
  issuer: 'Assay',
  // Five tries a sign-in, and ten in a row an account, which then waits a quarter of an hour: the library's own bounds.
  accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 900 },
  schema: {
    user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
    twoFactor: {
      modelName: 'account_two_factors',
      fields: {
        userId: 'user_id',
        backupCodes: 'backup_codes',
        failedVerificationCount: 'failed_verification_count',
        lockedUntil: 'locked_until',
      },
    },
  },
})
