/// The text that `relay --help` prints.
enum Help {
  static let text = """
    relay plays an H.264 file to viewers who tune in late, once for each way of sharing it.

    usage: relay [FILE] [--slow-viewer] [--output DIR] [--verify]

      FILE           an Annex B H.264 file; without it, the sample is played
      --slow-viewer  adds a viewer who reads too slowly, under each backlog
      --output DIR   writes what each viewer received to DIR, as sinceKeyframe-viewer2.h264 etc.
      --verify       decodes what each viewer received, if ffmpeg is on the search path
      --help         prints this

    The slow viewer takes one value for every \(BacklogScreening.pace) that a fast one receives, \
    from one share. With
    .rejoin it goes on at a keyframe and gets the parameter sets that it missed, so that its file
    decodes; with .dropOldest and .dropNewest it does not. Its files are slow-rejoin.h264 etc.

    A last access unit that is cut short is reported and left out, the rest is relayed. It is
    noticed if the file ends in a bare start code or unit header, before the slices of a picture,
    or with fewer slices than every other picture. A cut inside the very last slice shows only
    when it is decoded, with --verify.

    Exit codes:
      0   played
      64  wrong options, or DIR cannot be used
      66  FILE cannot be read, or is no Annex B H.264
      70  a viewer who starts on a keyframe got bytes that do not decode, though FILE does
      74  DIR could not be written to
    """
}
