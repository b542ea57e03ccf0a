/** Mantine’s palettes that are none of the app’s: the build leaves them out of the style sheet. */
export const LEFT_OUT_PALETTES: readonly string[] = ['blue', 'cyan', 'grape', 'green', 'indigo', 'lime', 'pink']
