// Signals that end the program, held back while a record is written.
#pragma once

namespace assay {

// From here on TERM, INT and HUP wait until the program ends by itself: what it has begun to write is written whole.
void hold_signals();

}  // namespace assay
