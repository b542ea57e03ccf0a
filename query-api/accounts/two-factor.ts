import { twoFactor } from 'better-auth/plugins/two-factor'

/** A second factor beside the password: six digits of an authenticator app, or one of ten backup codes. */
export const twoFactorPlugin = twoFactor({
  issuer: 'Assay',
  // The library allows five tries a sign-in and ten failures in a row; then the account waits 15 minutes.
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
