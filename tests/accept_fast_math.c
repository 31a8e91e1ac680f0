#include <daelab/daelab.h>
#include <daelab/drawing.h>
int bodies_of(const dae_picture *picture);
int bodies_of(const dae_picture *picture) { return picture->bodies; }
