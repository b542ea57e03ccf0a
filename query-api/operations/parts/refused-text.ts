/** What can be done for a text that a model refuses. */
export const REFUSED_TEXT_REMEDY =
  'The model refuses this text itself, mostly since it is too long for it or against its rules: sent again, it is refused again. Have the sender send it shorter or in parts; or an operator configures a model that takes it, and service_support mode replay sends it through; or a human gives it up with mode discard.'
